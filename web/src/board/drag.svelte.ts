/** A piece that is being dragged: from where, how far, and whether it has left its square at all. */
const DRAG_FROM = 7;

export class Drag {
  from = $state("");
  dx = $state(0);
  dy = $state(0);
  /** far enough to be more than a press */
  isOn = $state(false);
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
    this.isOn ||= Math.hypot(this.dx, this.dy) > DRAG_FROM;
  }

  stop(): void {
    this.from = "";
    this.dx = this.dy = 0;
    this.isOn = false;
  }
}
