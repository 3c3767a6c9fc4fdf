extension Options {
    /// Whether request bodies are sent compressed. Default: ``RequestCompression/off``.
    public var requestCompression: RequestCompression? {
        get { self[RequestCompressionOption.self] }
        set { self[RequestCompressionOption.self] = newValue }
    }
}

package enum RequestCompressionOption: OptionKey {
    package static let name = "requestCompression"
    package static var defaultValue: RequestCompression { .off }
}
