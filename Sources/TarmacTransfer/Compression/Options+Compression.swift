public import TarmacCore

extension Options {
    /// Whether request bodies are sent compressed. Default: ``RequestCompression/off``.
    public var requestCompression: RequestCompression? {
        get { self[RequestCompressionOption.self] }
        set { self[RequestCompressionOption.self] = newValue }
    }
}

package enum RequestCompressionOption: ProtectionOption {
    package static let name = "requestCompression"
    package static var defaultValue: RequestCompression { .off }
    /// Below encryption, because encrypted bytes do not compress, and above signatures, which cover the bytes on the wire.
    package static var seat: Seat? { Seat(.signing, order: -100) }
    package static func stage(_ compression: RequestCompression, in scope: StageScope) -> (any Interceptor)? {
        compression.isOff ? nil : RequestCompressionInterceptor(compression: compression)
    }
    package static func protection(of compression: RequestCompression) -> MessageProtection { [] }
    package static func changes(_ body: Body, by compression: RequestCompression) -> Bool { compression.compresses(body) }
}
