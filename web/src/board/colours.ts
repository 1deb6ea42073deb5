/** Colours as #rrggbb and the contrast between them. */
const BLACK = "#14171b";
const WHITE = "#ffffff";

/** The share of light of a colour, from 0 to 1. */
export function luminance(colour: string): number {
  const channel = (at: number): number => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** The contrast of two colours by WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever has more contrast on a colour. */
export const textColourOn = (colour: string): string =>
  contrast(BLACK, colour) > contrast(WHITE, colour) ? BLACK : WHITE;
