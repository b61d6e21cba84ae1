/** Put here by npm run build (release-name.mjs). Another bundle of the sources, such as a simulated world, has no name. */
declare const RELEASE_NAME: string | undefined;

/** Names what this build says to other processes, and what it stores: those of one name fit together. */
export const releaseBuilt = (): string => (typeof RELEASE_NAME === 'undefined' ? 'no release' : RELEASE_NAME);
