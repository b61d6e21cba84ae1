import { useState } from 'preact/hooks';
import { call, type Answer } from '../lib/api.js';
import { useLinkToken } from '../lib/link-token.js';
import { counted } from '../lib/format.js';
import { Check, Form, useSending } from '../ui/form.js';
import { Page } from '../ui/page.js';
import { SignInLink } from '../ui/sign-in-link.js';

type Cancelled = Answer<'POST /api/wallet/cancel'>;

/** The page of a mail about a changed wallet. Opening it changes nothing; its button takes the change back. */
export default function WalletCancel() {
  const token = useLinkToken();
  const [endKey, setEndKey] = useState(true);
  const [done, setDone] = useState<Cancelled | null>(null);
  const sending = useSending();
  const cancel = () =>
    sending.send(async () => setDone(await call('POST /api/wallet/cancel', { body: { token, end_key: endKey } })));
  if (done !== null) return <Done of={done} />;
  if (token === '') return <Page title="Your wallet" lead="Open the link of the mail about your wallet." />;
  return (
    <Page
      title="Take the change of your wallet back?"
      lead="Withdrawals that wait go back to your balance. The wallet before it stands again."
    >
      <Form sending={sending} verb="Take the change back" onSend={() => void cancel()}>
        <Check
          label="I did not change it"
          hint="The API key ends, too. Your bot stops until it has a new one."
          checked={endKey}
          onValue={setEndKey}
        />
      </Form>
    </Page>
  );
}

const Done = ({
  of: { wallet_address: wallet, withdrawals_returned: returned, key_ended: ended },
}: {
  of: Cancelled;
}) => (
  <Page title="The change is taken back">
    <p role="status">
      {wallet === null ? 'The agent has no wallet.' : `The wallet is ${wallet} again.`}
      {returned > 0 && ` ${counted(returned, 'withdrawal')} went back to the balance.`}
      {ended && ' The API key has ended.'}
    </p>
    {ended && (
      <p>
        <SignInLink>Sign in to make a new key</SignInLink>
      </p>
    )}
  </Page>
);
