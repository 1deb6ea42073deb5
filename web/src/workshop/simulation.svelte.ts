/** Simulated games of one box. */
import { api } from "../api/http";
import { PolledRun } from "../api/polled-run.svelte";
import type { Simulation, SimulateBox } from "../api/types";

export class SimulationStore extends PolledRun<Simulation> {
  protected readonly key: string;

  constructor(readonly box: string) {
    super();
    this.key = `box.${box}`;
  }

  protected ask(): Promise<{ run: Simulation | null }> {
    return api.simulation(this.box);
  }

  start(request: SimulateBox): Promise<void> {
    return this.attempt(() => api.startSimulation(this.box, request));
  }

  cancel(): Promise<void> {
    return this.attempt(() => api.cancelSimulation(this.box));
  }
}
