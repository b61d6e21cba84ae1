/** The pages that everybody finds from everywhere. */
export const NAVIGATION: readonly (readonly [href: string, name: string])[] = [['/docs', 'Docs']];
