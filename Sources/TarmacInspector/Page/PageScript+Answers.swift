#if Inspector
extension PageScript {
    /// The answers that a developer writes for endpoints.
    static let answers = #"""
        let answerOf = null;
        /** Shows the answer of an endpoint, which begins as what the call has received. */
        function showAnswer(answer) {
          answerOf = answer;
          find("answer-title").textContent = answer.service + " · " + answer.endpoint;
          find("answer-status").value = answer.status;
          find("answer-type").value = answer.mediaType;
          find("answer-body").value = answer.body;
          for (const [id, name] of [["answer-close", "close"], ["answer-end", "endAnswer"], ["answer-save", "save"]]) find(id).textContent = word(name);
          find("answer-end").hidden = !writtenAnswer(answer);
          if (!find("answer").open) find("answer").showModal();
          find("answer-body").focus();
        }
        const writtenAnswer = (call) => (state.answers ?? []).find((one) => one.service === call.service && one.endpoint === call.endpoint);
        function receivedAnswer() {
          const answer = lastResponse(), type = answer?.headers.find((field) => field.name.toLowerCase() === "content-type")?.value;
          return { service: entry.service, endpoint: entry.endpoint, status: answer && answer.status >= 200 ? answer.status : 200,
            mediaType: type ?? "application/json", body: answer?.body?.text ?? "" };
        }
        async function setAnswer(order) {
          state = await post("/api/answer", order);
          find("answer").close();
          drawState();
        }
        find("action-answer").addEventListener("click", () => showAnswer(writtenAnswer(entry) ?? receivedAnswer()));
        find("answer-close").addEventListener("click", () => find("answer").close());
        find("answer-end").addEventListener("click", () => attemptTo(() => setAnswer({ service: answerOf.service, name: answerOf.endpoint })));
        find("answer-save").addEventListener("click", () => attemptTo(() => setAnswer({ answer: { service: answerOf.service, endpoint: answerOf.endpoint,
          status: Number(find("answer-status").value) || 0, mediaType: find("answer-type").value.trim(), body: find("answer-body").value } })));

        """#
}
#endif
