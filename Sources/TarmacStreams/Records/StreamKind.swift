import HTTPTypes
import TarmacCore
import TarmacSupport

/// The kind of a streamed body, which decides whether a response has one.
struct StreamKind: Sendable {
    /// The Accept field of the request.
    let accept: String
    /// The media types of the response; `nil` for any.
    let types: Set<String>?
    /// The suffix of further media types.
    var suffix: String?
    /// Whether the body has Server-Sent Events, with their own rules for statuses and reconnection.
    var isEvents = false

    static let events = StreamKind(accept: "text/event-stream", types: ["text/event-stream"], isEvents: true)
    static let lines = StreamKind(accept: "*/*", types: nil)
    // None of the names is registered; these are in use.
    static let jsonLines = StreamKind(
        accept: "application/x-ndjson, application/jsonl, application/json;q=0.5",
        types: [
            "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines",
            "application/x-jsonlines", "application/json-lines", "application/stream+json", "application/json", "text/plain",
        ])
    // RFC 8091 registers the suffix.
    static let jsonSequence = StreamKind(accept: "application/json-seq", types: ["application/json-seq"], suffix: "+json-seq")

    /// Adds the settings that the stream needs to the endpoint's layer, where the endpoint does not set them.
    func configure(_ options: inout Options) {
        if options.headers["Accept"] == nil { options.headers["Accept"] = accept }
        if isEvents, options.headers["Cache-Control"] == nil { options.headers["Cache-Control"] = "no-cache" }
        // An indicator would stay as long as the stream lives.
        if options[Settings.showsLoading] == nil { options[Settings.showsLoading] = false }
        // A service that only accepts JSON means its calls, not its streams.
        if options.acceptableContentTypes == nil { options.acceptableContentTypes = .automatic }
    }

    /// Returns the reason why a response is no such stream; `nil` if it is one.
    func fault(of response: Response, accepting types: AcceptableContentTypes) -> TarmacError? {
        if isEvents, response.status.code != 200 {
            return TarmacError(.unacceptableStatus, phase: .judging, "the server answered \(response.status.code), and a stream of events opens with 200")
        }
        // The setting of a layer was checked before.
        guard types == .automatic, let known = self.types else { return nil }
        let type = response.mediaType
        if type == nil, !isEvents { return nil }
        if let type, known.contains(type.essence) || suffix.map({ type.essence.hasSuffix($0) }) ?? false { return nil }
        return TarmacError(
            .unacceptableContentType, phase: .judging, "the answer is \(type?.essence ?? "of no stated type"), and not \(accept)",
            suggestion: "set acceptableContentTypes if the server is known to say so; error.response holds the beginning of the answer")
    }
}
