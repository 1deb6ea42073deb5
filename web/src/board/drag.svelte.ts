/** A drag of a piece with the pointer. */
const MIN_DISTANCE_PX = 7;

export class Drag {
  from = $state("");
  dx = $state(0);
  dy = $state(0);
  /** the pointer has moved far enough for this not to be a click */
  isDragging = $state(false);
  #x = 0;
  #y = 0;

  begin(cell: string, event: PointerEvent): void {
    this.stop();
    this.from = cell;
    this.#x = event.clientX;
    this.#y = event.clientY;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.from) return;
    this.dx = event.clientX - this.#x;
    this.dy = event.clientY - this.#y;
    this.isDragging ||= Math.hypot(this.dx, this.dy) > MIN_DISTANCE_PX;
  }

  stop(): void {
    this.from = "";
    this.dx = this.dy = 0;
    this.isDragging = false;
  }
}
