import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Replayer } from '../replay/replayer.js';
import { count, counted } from '../lib/format.js';
import type { HandFile, HandFileReader } from './use-hand-file.js';

interface ShownHandProps {
  shown: NonNullable<HandFile['shown']>;
  /** Hands that can be replayed, so far. */
  count: number;
  ask: HandFileReader['ask'];
}

/** The hand that is replayed, and its place in the file. */
export function ShownHand({ shown: { index, hand }, count: hands, ask }: ShownHandProps) {
  // Keys may come faster than hands.
  const asked = useRef(index);
  const most = useRef(hands);
  most.current = hands;
  useEffect(() => {
    asked.current = index;
  }, [index]);
  const move = (by: 1 | -1) => {
    const next = asked.current + by;
    if (next < 0 || next >= most.current) return;
    asked.current = next;
    forgetStep();
    ask({ kind: 'hand', index: next });
  };
  const isAlone = hands < 2;
  // While a file is read its figures change many times a second. The same node again is not drawn again.
  const replayer = useMemo(
    () => <Replayer hand={hand} link={null} {...(!isAlone && { onHand: move })} />,
    [hand, isAlone],
  );
  return (
    <>
      <p class="file-hand">
        {!isAlone && `${count(index + 1)} of ${counted(hands, 'hand')} · `}
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
        This hand could not be shown, because the page has a fault. The other hands can still be replayed.
      </p>
    );
  }
}
