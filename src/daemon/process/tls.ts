import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { DaemonSettings } from '../settings.ts';
import { StartFailure } from '../start-failure.ts';

/** What the public server proves itself with, in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate files of the settings; undefined when none are set, and the server speaks plain HTTP.
 * @throws {StartFailure} when only one is set, or they cannot be read, or are not a pair.
 */
export async function readCertificate(
  settings: Pick<DaemonSettings, 'tlsCert' | 'tlsKey'>,
): Promise<Certificate | undefined> {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === '' && tlsKey === '') return undefined;
  if (tlsCert === '') throw wrong('tls-key is set and tls-cert is not; HTTPS needs both');
  if (tlsKey === '') throw wrong('tls-cert is set and tls-key is not; HTTPS needs both');
  const certificate: Certificate = { cert: await read('tls-cert', tlsCert), key: await read('tls-key', tlsKey) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw wrong(`${tlsCert} and ${tlsKey} are not a certificate and its key: ${(error as Error).message}`, error);
  }
  return certificate;
}

async function read(name: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrong(`${name}: ${path} cannot be read: ${error.code ?? error.message}`, error);
  });
}

function wrong(message: string, cause?: unknown): StartFailure {
  return new StartFailure('configuration', message, { cause });
}
