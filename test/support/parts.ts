import type { Part } from '../../src/platform/parts.js';

/** The parts of a feature that run at each node, and at the leader. */
export interface FeatureParts {
  node?: Part;
  lead?: Part;
}

/** Starts a feature at a node that leads, or at one that follows. */
export async function startParts({ node, lead }: FeatureParts, leads = true): Promise<void> {
  await node?.start?.();
  if (leads) await lead?.start?.();
}

/** Stops the feature, as the end of a process does. */
export async function stopParts({ node, lead }: FeatureParts): Promise<void> {
  for (const part of [lead, node]) await part?.drain?.();
  for (const part of [lead, node]) await part?.stop?.();
}
