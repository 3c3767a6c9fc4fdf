/// The requirements of a call on its response, from its landing and its decoder.
struct LandingNeeds {
    /// Whether the landing reads JSON, or the format that the decoder reads instead.
    let needsJSON: Bool
    /// The media types that the landing can read. ``AcceptableContentTypes/automatic`` if the decoder decides.
    let accepts: AcceptableContentTypes
    let decoder: BodyDecoder

    /// Whether the value requires JSON. Only then is the shape checked, and an envelope needed.
    var isJSON: Bool { needsJSON && (accepts != .automatic || decoder.accepts == .json) }

    /// Returns the media types to check, with ``AcceptableContentTypes/automatic`` resolved. A value from the
    /// options takes precedence.
    func contentTypes(_ said: AcceptableContentTypes) -> AcceptableContentTypes {
        if said != .automatic { return said }
        if accepts != .automatic { return accepts }
        return needsJSON ? decoder.accepts : .any
    }
}
