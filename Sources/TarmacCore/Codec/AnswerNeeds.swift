/// What a call needs its answer to be, from its landing and its decoder (pure).
struct AnswerNeeds {
    /// Whether the landing asks for JSON, or for what the decoder reads in its place.
    let needsJSON: Bool
    /// What the landing can read; ``AcceptableContentTypes/automatic`` where the decoder decides.
    let accepts: AcceptableContentTypes
    let decoder: BodyDecoder

    /// Whether JSON is needed: envelope and shape are judged, and non-JSON values skip both.
    var isJSON: Bool { needsJSON && (accepts != .automatic || decoder.accepts == .json) }

    /// The media types to check, with ``AcceptableContentTypes/automatic`` made plain; what a layer says wins.
    func contentTypes(_ said: AcceptableContentTypes) -> AcceptableContentTypes {
        if said != .automatic { return said }
        if accepts != .automatic { return accepts }
        return needsJSON ? decoder.accepts : .any
    }
}
