public import TarmacJSON

extension Options {
    /// The largest body of a buffered call, in bytes as received. Default: 64 MiB.
    public var maximumBodySize: Int? {
        get { self[MaximumBodySize.self] }
        set { self[MaximumBodySize.self] = newValue }
    }

    /// The largest body after decompression, in bytes. Default: 256 MiB.
    public var maximumInflatedSize: Int? {
        get { self[MaximumInflatedSize.self] }
        set { self[MaximumInflatedSize.self] = newValue }
    }

    /// The status codes that count as a success. Default: 200…299, with 206 only for a request that has a Range
    /// field. See ``AcceptableStatus``.
    public var acceptableStatus: AcceptableStatus? {
        get { self[AcceptableStatusOption.self] }
        set { self[AcceptableStatusOption.self] = newValue }
    }

    /// The acceptable media types. Default: those that the value needs; see ``AcceptableContentTypes/automatic``.
    public var acceptableContentTypes: AcceptableContentTypes? {
        get { self[AcceptableContentTypesOption.self] }
        set { self[AcceptableContentTypesOption.self] = newValue }
    }

    /// The envelope around the service's responses, with its condition for success. Default: none.
    ///
    /// With `.off`, an acceptable status is a success, and the value is made from the whole response.
    public var envelope: Envelope? {
        get { self[EnvelopeOption.self] }
        set { self[EnvelopeOption.self] = newValue }
    }

    /// The required shape of the envelope's payload, or of the whole response without an envelope.
    ///
    /// It is checked once, after the envelope and before anything is decoded. Values that are not made from JSON skip
    /// the check. Default: `.any`, which also removes a lower layer's shape.
    public var shape: Shape? {
        get { self[ShapeOption.self] }
        set { self[ShapeOption.self] = newValue }
    }

    /// The decoder that turns a body into a `Decodable` value. Default: TarmacJSON with its standard strategies.
    public var decoder: BodyDecoder? {
        get { self[DecoderOption.self] }
        set { self[DecoderOption.self] = newValue }
    }
}

/// A setting that is a size in bytes.
protocol SizeOption: KernelOption where Value == Int {}

extension SizeOption {
    static func fault(of value: Int) -> String? { value < 0 ? "it must not be negative" : nil }
    static func describe(_ value: Int) -> String { "\(value) bytes" }
}

enum MaximumBodySize: SizeOption {
    static let name = "maximumBodySize"
    static var sharing: ResponseSharing { .compared }
    static var field: WritableKeyPath<OptionValues, Int> { \.maximumBodySize }
}

enum MaximumInflatedSize: SizeOption {
    static let name = "maximumInflatedSize"
    static var sharing: ResponseSharing { .compared }
    static var field: WritableKeyPath<OptionValues, Int> { \.maximumInflatedSize }
}

enum AcceptableStatusOption: KernelOption {
    static let name = "acceptableStatus"
    typealias Value = AcceptableStatus
    static var field: WritableKeyPath<OptionValues, AcceptableStatus> { \.acceptableStatus }
}

enum AcceptableContentTypesOption: KernelOption {
    static let name = "acceptableContentTypes"
    typealias Value = AcceptableContentTypes
    static var field: WritableKeyPath<OptionValues, AcceptableContentTypes> { \.acceptableContentTypes }
}

enum EnvelopeOption: KernelOption {
    static let name = "envelope"
    typealias Value = Envelope
    static var field: WritableKeyPath<OptionValues, Envelope> { \.envelope }
}

enum ShapeOption: KernelOption {
    static let name = "shape"
    typealias Value = Shape
    static var field: WritableKeyPath<OptionValues, Shape> { \.shape }
}

enum DecoderOption: KernelOption {
    static let name = "decoder"
    typealias Value = BodyDecoder
    static var field: WritableKeyPath<OptionValues, BodyDecoder> { \.decoder }
}
