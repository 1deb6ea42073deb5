/** Copy the text of a field to the clipboard; return whether that worked. */
export async function copyField(field: HTMLInputElement | undefined): Promise<boolean> {
  field?.select();
  try {
    await navigator.clipboard.writeText(field?.value ?? "");
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
