@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// Whether request bodies are sent compressed. Default: ``RequestCompression/off``.
    public var requestCompression: RequestCompression? {
        get { self[Settings.requestCompression] }
        set { self[Settings.requestCompression] = newValue }
    }
}

extension Settings {
    package static let requestCompression = Setting<RequestCompression>("requestCompression", default: .off) {
        $0.fault = { $0.fault }
        // Above every stage that sees the bytes on the wire, such as signatures, and below encryption.
        $0.stage(at: Seat(.sealing, order: .max)) { compression, _ in
            compression.isOff ? nil : RequestCompressionInterceptor(compression: compression)
        }
        $0.changes = { body, compression in compression.compresses(body) }
    }
}
