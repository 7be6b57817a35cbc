// What the clients from npm make of each thing that the door answers; one line of JSON.
// Usage: node shapes.mjs '{"base_url":…,"api_key":…}'
import OpenAI from 'openai';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';

const { base_url: baseURL, api_key: apiKey } = JSON.parse(process.argv[2]);
const model = 'gpt-x';
globalThis.AI_SDK_LOG_WARNINGS = false;
const openai = new OpenAI({ baseURL, apiKey });
const sdk = createOpenAI({ baseURL, apiKey });
const messages = [{ role: 'user', content: 'Hello' }];
const found = {};

found.models = (await openai.models.list()).data.map((each) => each.id);

const stream_options = { include_usage: true };
let text = '';
for await (const chunk of await openai.chat.completions.create({ model, messages, stream: true, stream_options })) {
  text += chunk.choices[0]?.delta?.content ?? '';
  if (chunk.usage) found.openai_stream_usage = chunk.usage.total_tokens;
}
found.openai_stream = text;
found.openai_helper = await openai.chat.completions.stream({ model, messages }).finalContent();
found.openai_response = (await openai.responses.create({ model, input: 'Hello' })).output_text;

text = '';
const streamed = streamText({ model: sdk.chat(model), prompt: 'Hello' });
for await (const piece of streamed.textStream) text += piece;
found.ai_stream = text;
found.ai_stream_usage = (await streamed.usage).totalTokens;
found.ai_response = (await generateText({ model: sdk(model), prompt: 'Hello' })).text;

const error = async (ask) => {
  try {
    await ask();
    return 'none';
  } catch (e) {
    return `${e.constructor.name} ${e.status} ${e.code}`;
  }
};
found.no_model = await error(() => openai.chat.completions.create({ model: 'gpt-y', messages }));
const stranger = new OpenAI({ baseURL, apiKey: 'sk-no-such-key' });
found.no_key = await error(() => stranger.chat.completions.create({ model, messages }));
const headers = { 'Idempotency-Key': 'shapes' };
await openai.chat.completions.create({ model, messages }, { headers });
found.mismatch = await error(() =>
  openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Other' }] }, { headers }),
);
console.log(JSON.stringify(found));
