import HTTPTypes
import TarmacCore

/// What a streamed body is made of, and how its response is told from others.
struct StreamKind: Sendable {
    /// What the request accepts.
    let accept: String
    /// The media types it comes as; `nil` for any.
    let types: Set<String>?
    /// The end of further media types.
    var suffix: String?
    /// Whether it is Server-Sent Events, with rules of their own for statuses and reconnection.
    var isEvents = false

    static let events = StreamKind(accept: "text/event-stream", types: ["text/event-stream"], isEvents: true)
    static let lines = StreamKind(accept: "*/*", types: nil)
    // None of the names is registered; these are those in use.
    static let jsonLines = StreamKind(
        accept: "application/x-ndjson, application/jsonl, application/json;q=0.5",
        types: [
            "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines",
            "application/x-jsonlines", "application/json-lines", "application/stream+json", "application/json", "text/plain",
        ])
    // RFC 8091 registers the suffix.
    static let jsonSequence = StreamKind(accept: "application/json-seq", types: ["application/json-seq"], suffix: "+json-seq")

    /// The endpoint's layer of settings with what the stream needs, where the endpoint says nothing itself.
    func configure(_ options: inout Options) {
        if options.headers["Accept"] == nil { options.headers["Accept"] = accept }
        if isEvents, options.headers["Cache-Control"] == nil { options.headers["Cache-Control"] = "no-store" }
        // An indication would stay for as long as the stream lives.
        if options.showsLoading == nil { options.showsLoading = false }
        // A service that answers in JSON alone says so for its calls, not for its streams.
        if options.acceptableContentTypes == nil { options.acceptableContentTypes = .automatic }
    }

    /// Why a response is no such stream; `nil` when it is.
    func fault(of response: Response, accepting types: AcceptableContentTypes) -> TarmacError? {
        if isEvents, response.status.code != 200 {
            return TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code), and a stream of events opens with 200")
        }
        // What a layer says was judged already.
        guard types == .automatic, let known = self.types else { return nil }
        let type = response.mediaType
        if type == nil, !isEvents { return nil }
        if let type, known.contains(type.essence) || suffix.map({ type.essence.hasSuffix($0) }) ?? false { return nil }
        return TarmacError(
            .unacceptableContentType, phase: .judging, "the answer is \(type?.essence ?? "of no stated type"), and not \(accept)",
            suggestion: "set acceptableContentTypes if the server is known to say so; error.response holds the beginning of the answer")
    }
}
