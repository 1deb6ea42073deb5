/** The guest's run of quick games in the setup lab. */
import { api } from "../api/http";
import { PolledRun } from "../api/polled-run.svelte";
import type { LabRequest, LabRun } from "../api/types";

export class LabRunStore extends PolledRun<LabRun> {
  protected readonly key = "lab";

  protected ask(): Promise<{ run: LabRun | null }> {
    return api.labRun();
  }

  get played(): number {
    return this.run?.points.length ?? 0;
  }

  start(request: LabRequest): Promise<void> {
    return this.attempt(() => api.startLabRun(request));
  }

  cancel(): Promise<void> {
    return this.attempt(() => api.cancelLabRun());
  }
}
