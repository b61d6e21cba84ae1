import { useEffect, useState } from 'preact/hooks';
import { searchTexts as texts } from '../texts/frame.js';

/** Asks when the typing pauses. */
export function Search({
  value,
  onValue,
  label = texts.findABotByA,
}: {
  value: string;
  onValue: (value: string) => void;
  label?: string;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="search"
      placeholder={texts.findABot}
      aria-label={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
