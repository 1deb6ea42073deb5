declare module "virtual:icons" {
  const boxes: Record<string, () => Promise<{ default: Record<string, string> }>>;
  export default boxes;
}
declare module "virtual:icons/own" {
  const drawings: Record<string, string>;
  export default drawings;
}
