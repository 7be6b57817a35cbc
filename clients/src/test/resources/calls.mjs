// Calls of an unchanged client from npm, one begun after another; what came of them as one line of JSON.
// Usage: node calls.mjs '{"client":…,"base_url":…,"api_key":…,"calls":…,"pace_ms":…,"timeout_ms":…,"clicks":…}'
import { setTimeout as after } from 'node:timers/promises';
import OpenAI from 'openai';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';

const { client, base_url: baseURL, api_key: apiKey, calls, pace_ms, timeout_ms, clicks } = JSON.parse(process.argv[2]);
const model = 'gpt-x';
globalThis.AI_SDK_LOG_WARNINGS = false;

const openai = new OpenAI({ baseURL, apiKey, timeout: timeout_ms }); // two retries, its default
const sdk = createOpenAI({ baseURL, apiKey });

const clients = {
  openai: async (content, headers) => {
    const body = { model, messages: [{ role: 'user', content }] };
    const completion = await openai.chat.completions.create(body, { headers });
    return completion.choices[0].message.content;
  },
  // Its own retries (two, its default) do not come after a timeout, which it takes for the caller's
  // wish; so the caller asks again, as a person would click again.
  ai: async (prompt, headers) => {
    for (let again = 2; ; again--) {
      try {
        const abortSignal = AbortSignal.timeout(timeout_ms);
        return (await generateText({ model: sdk.chat(model), prompt, headers, abortSignal })).text;
      } catch (error) {
        if (again === 0 || !/Timeout|Abort/i.test(error.name)) throw error;
      }
    }
  },
};

// The caller clicks again, under the same key, when the client has given up without a word of a job.
const asked = async (prompt, headers, clicked = 0) => {
  try {
    return await clients[client](prompt, headers);
  } catch (error) {
    if (clicked === clicks || /job_[0-9A-Z]{26}/.test(error.message)) throw error;
    if (clicked === 0) found.clicked++;
    console.error(`${new Date().toISOString()} ${prompt} is asked again: ${error.name}: ${error.message}`);
    return asked(prompt, headers, clicked + 1);
  }
};

const found = { answers: 0, named: 0, clicked: 0, others: [] };
await Promise.all(
  Array.from({ length: calls }, async (_, number) => {
    await after(number * pace_ms);
    const prompt = `call ${client}-${number}`;
    try {
      const text = await asked(prompt, { 'Idempotency-Key': `${client}-${number}` });
      if (text === prompt) found.answers++;
      else found.others.push(`${prompt} was answered ${text}`);
    } catch (error) {
      if (/job_[0-9A-Z]{26}/.test(error.message)) found.named++;
      else found.others.push(`${prompt}: ${error.name}: ${error.message}`);
    }
  }),
);
console.log(JSON.stringify(found));
