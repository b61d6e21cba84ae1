import { Component, type ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Replayer } from '../replay/replayer.js';
import { fileTexts as texts } from '../texts/files.js';
import type { HandFile, HandFileReader } from './use-hand-file.js';

interface ShownHandProps {
  shown: NonNullable<HandFile['shown']>;
  /** Hands that can be replayed, so far. */
  count: number;
  ask: HandFileReader['ask'];
}

/** The hand that is replayed, and its place in the file. */
export function ShownHand({ shown: { index, hand }, count, ask }: ShownHandProps) {
  const move = (by: 1 | -1) => {
    if (index + by < 0 || index + by >= count) return;
    forgetStep();
    ask({ kind: 'hand', index: index + by });
  };
  const isAlone = count < 2;
  // While a file is read its figures change many times a second. The same node again is not drawn again.
  const replayer = useMemo(
    () => <Replayer hand={hand} link={null} {...(!isAlone && { onHand: move })} />,
    [hand, isAlone, index, index === count - 1],
  );
  return (
    <>
      <p class="file-hand">
        {!isAlone && `${texts.place(index, count)} · `}
        {hand.title}
      </p>
      <Guard key={index}>{replayer}</Guard>
    </>
  );
}

/** The address names a step of the hand that was shown. */
export const forgetStep = () => history.replaceState(history.state, '', location.pathname);

/** An error in one hand leaves the page and the other hands as they are. It is still reported to the browser. */
class Guard extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    this.setState({ failed: true });
    reportError(error);
  }

  override render() {
    if (!this.state.failed) return <>{this.props.children}</>;
    return (
      <p class="problem" role="alert">
        {texts.cannotShow}
      </p>
    );
  }
}
