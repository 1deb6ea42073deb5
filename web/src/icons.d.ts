declare module "virtual:icons" {
  const boxes: Record<string, () => Promise<{ default: Record<string, string> }>>;
  export default boxes;
}
declare module "virtual:icons/client" {
  const drawings: Record<string, string>;
  export default drawings;
}
declare module "virtual:icons/version" {
  const version: string;
  export default version;
}
