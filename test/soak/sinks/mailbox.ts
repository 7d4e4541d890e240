import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type Arrival, type Conduct, countOf } from './receiver.ts';

/** A real SMTP server on loopback. A mail of several pieces of news is known by its subject, which counts them. */
export class Mailbox {
  life = 0;
  readonly arrivals: Arrival[] = [];
  readonly #conduct: Conduct;
  readonly #server: SMTPServer;

  static async start(conduct: Conduct): Promise<Mailbox> {
    const mailbox = new Mailbox(conduct);
    mailbox.#server.listen(0, '127.0.0.1');
    await once(mailbox.#server.server, 'listening');
    return mailbox;
  }

  private constructor(conduct: Conduct) {
    this.#conduct = conduct;
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      disableReverseLookup: true,
      onData: (stream, _, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => callback(this.#take(Buffer.concat(chunks).toString())));
      },
    });
    this.#server.on('error', () => undefined);
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  #take(mail: string): Error | null {
    const misdeed = this.#conduct.next();
    const head = mail.slice(0, mail.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
    const [, id = ''] = /^Message-ID: <([^@>]+)@/im.exec(head) ?? [];
    const [, subject = ''] = /^Subject: (.*)$/im.exec(head) ?? [];
    const count = countOf(subject);
    const fate = misdeed === undefined ? 'accepted' : 'failed';
    const named = { leads: [], alike: [], dropped: 0 };
    this.arrivals.push({ life: this.life, id, type: 'digest', title: subject, ...named, count, fate });
    if (misdeed === undefined) return null;
    return Object.assign(new Error('come back later'), { responseCode: misdeed === 'refuse' ? 550 : 451 });
  }
}
