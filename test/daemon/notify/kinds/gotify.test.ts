import { gotify } from '../../../../src/daemon/notify/kinds/gotify.ts';
import { sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, laterHeader, textIn } from '../http-receiver.ts';

/** A stand-in for a Gotify server: what https://gotify.net/docs/pushmsg and /msgextras ask of a message. */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: { url: `${origin}/gotify/`, priority: '8' },
      secrets: { token: 'AKx9.F2mQ-h7LzR' },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== '/gotify/message') fault(`${asked.method} ${asked.path}`);
      if (asked.headers['x-gotify-key'] !== 'AKx9.F2mQ-h7LzR') fault('token');
      checkFields(json, { title: 250, message: 8_000, priority: null, extras: null }, fault);
      if (json['priority'] !== 8) fault('priority');
      const extras = json['extras'] as {
        'client::display': object;
        'client::notification'?: { click: { url: string } };
      };
      // In Markdown there would be links and images.
      if (JSON.stringify(extras['client::display']) !== '{"contentType":"text/plain"}') fault('contentType');
      const url = extras['client::notification']?.click.url;
      return {
        text: `${textIn(json, 'title')}\n${textIn(json, 'message')}`,
        links: url === undefined ? [] : [url],
        alive: [],
      };
    },
    answers: {
      accept: { status: 200, body: '{"id":25}' },
      refuse: {
        status: 401,
        body: '{"error":"Unauthorized","errorCode":401,"errorDescription":"you need to provide a valid access token"}',
      },
      fail: { status: 500, body: '{"error":"Internal Server Error"}' },
      later: { status: 429, headers: laterHeader },
    },
  });

sinkKindContract('gotify', () => Promise.resolve(gotify), receiver);
