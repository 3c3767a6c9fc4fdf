public import TarmacJSON

extension Options {
    /// The largest body of a buffered call, in bytes as received. Default: 64 MiB.
    public var maximumBodySize: Int? {
        get { self[Settings.maximumBodySize] }
        set { self[Settings.maximumBodySize] = newValue }
    }

    /// The largest body after decompression, in bytes. Default: 256 MiB.
    public var maximumInflatedSize: Int? {
        get { self[Settings.maximumInflatedSize] }
        set { self[Settings.maximumInflatedSize] = newValue }
    }

    /// The status codes that count as a success. Default: 200…299, with 206 only for a request that has a Range
    /// field. See ``AcceptableStatus``.
    public var acceptableStatus: AcceptableStatus? {
        get { self[Settings.acceptableStatus] }
        set { self[Settings.acceptableStatus] = newValue }
    }

    /// The acceptable media types. Default: those that the value needs; see ``AcceptableContentTypes/automatic``.
    public var acceptableContentTypes: AcceptableContentTypes? {
        get { self[Settings.acceptableContentTypes] }
        set { self[Settings.acceptableContentTypes] = newValue }
    }

    /// The envelope around the service's responses, with its condition for success. Default: none.
    ///
    /// With `.off`, an acceptable status is a success, and the value is made from the whole response.
    public var envelope: Envelope? {
        get { self[Settings.envelope] }
        set { self[Settings.envelope] = newValue }
    }

    /// The required shape of the envelope's payload, or of the whole response without an envelope.
    ///
    /// It is checked once, after the envelope and before anything is decoded. Values that are not made from JSON skip
    /// the check. Default: `.any`, which also removes a lower layer's shape.
    public var shape: Shape? {
        get { self[Settings.shape] }
        set { self[Settings.shape] = newValue }
    }

    /// The decoder that turns a body into a `Decodable` value. Default: TarmacJSON with its standard strategies.
    public var decoder: BodyDecoder? {
        get { self[Settings.decoder] }
        set { self[Settings.decoder] = newValue }
    }
}

extension Settings {
    static let maximumBodySize = Setting("maximumBodySize", \.maximumBodySize) {
        $0.fault = { $0 < 0 ? "it must not be negative" : nil }
        $0.describe = { "\($0) bytes" }
        $0.sharing = .compared
    }

    static let maximumInflatedSize = Setting("maximumInflatedSize", \.maximumInflatedSize) {
        $0.fault = { $0 < 0 ? "it must not be negative" : nil }
        $0.describe = { "\($0) bytes" }
        $0.sharing = .compared
    }

    static let acceptableStatus = Setting("acceptableStatus", \.acceptableStatus)
    static let acceptableContentTypes = Setting("acceptableContentTypes", \.acceptableContentTypes)
    static let envelope = Setting("envelope", \.envelope)
    static let shape = Setting("shape", \.shape)
    static let decoder = Setting("decoder", \.decoder)
}
