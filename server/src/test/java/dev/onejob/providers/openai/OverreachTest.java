package dev.onejob.providers.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.providers.BoundedJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests reach beyond one answer of one provider. */
final class OverreachTest {
  private static Optional<String> place(String request) {
    return Overreach.of(BoundedJson.read(request.getBytes(StandardCharsets.UTF_8)))
        .map(Overreach::pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'models':['a','b']}|/models",
        "{'models':[]}|/models",
        "{'fallbacks':[{'model':'a'}]}|/fallbacks",
        "{'context_window_fallbacks':[]}|/context_window_fallbacks",
        "{'content_policy_fallbacks':[]}|/content_policy_fallbacks",
        "{'num_retries':3}|/num_retries",
        "{'route':'fallback'}|/route",
        "{'provider':{'allow_fallbacks':true}}|/provider",
        "{'preset':'mine'}|/preset",
        "{'conversation':'conv_1'}|/conversation",
        "{'conversation':{'id':'conv_1'}}|/conversation",
        "{'previous_response_id':'resp_1'}|/previous_response_id",
        "{'prompt':{'id':'pmpt_1'}}|/prompt",
        "{'store':true}|/store",
        "{'store':'false'}|/store",
        "{'input':['x',{'type':'item_reference','id':'msg_1'}]}|/input/1",
        "{'input':[{'id':'msg_1'}]}|/input/0",
        "{'input':[{'type':null,'id':'msg_1'}]}|/input/0",
      })
  void other_models_hidden_retries_and_what_is_kept_at_the_provider_reach_beyond_it(
      String request, String pointer) {
    assertThat(place(request.replace('\'', '"'))).contains(pointer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'model':'m','messages':[{'role':'user','content':'Hi','id':'x'}],'metadata':{'store':1}}",
        "{'store':false,'conversation':null,'previous_response_id':null,'prompt':null}",
        "{'input':'item_reference','store':null}",
        "{'input':[{'role':'user','content':'Hi'},{'type':'message','role':'user','id':'msg_1'}]}",
        "{'input':[{'role':'assistant','content':'Ho','id':'msg_1'}]}",
        "{'input':[{'type':'function_call_output','call_id':'c','output':'1','id':'fc_1'}]}",
      })
  void what_is_said_in_the_request_itself_does_not(String request) {
    assertThat(place(request.replace('\'', '"'))).isEmpty();
  }
}
