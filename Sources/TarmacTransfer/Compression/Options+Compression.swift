@_spi(TarmacRooms) public import TarmacCore

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
    package static func fault(of compression: RequestCompression) -> String? { compression.fault }
    /// Above every stage that sees the bytes on the wire, such as signatures, and below encryption.
    package static var seat: Seat? { Seat(.sealing, order: .max) }
    package static func stage(_ compression: RequestCompression, in scope: StageScope) -> (any Interceptor)? {
        compression.isOff ? nil : RequestCompressionInterceptor(compression: compression)
    }
    package static func protection(of compression: RequestCompression) -> MessageProtection { [] }
    package static func changes(_ body: Body, by compression: RequestCompression) -> Bool { compression.compresses(body) }
}
