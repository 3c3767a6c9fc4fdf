public import TarmacJSON

extension Options {
    /// The largest body of a buffered call, in bytes as received. Default 64 MiB.
    public var maximumBodySize: Int? {
        get { self[MaximumBodySize.self] }
        set { self[MaximumBodySize.self] = newValue }
    }

    /// The largest body after decompression, in bytes. Default 256 MiB.
    public var maximumInflatedSize: Int? {
        get { self[MaximumInflatedSize.self] }
        set { self[MaximumInflatedSize.self] = newValue }
    }

    /// Which statuses are a success. Default 200…299, with 206 only for a request that has a Range; see ``AcceptableStatus``.
    public var acceptableStatus: AcceptableStatus? {
        get { self[AcceptableStatusOption.self] }
        set { self[AcceptableStatusOption.self] = newValue }
    }

    /// Which media types are acceptable. Default: what the value needs, see ``AcceptableContentTypes/automatic``.
    public var acceptableContentTypes: AcceptableContentTypes? {
        get { self[AcceptableContentTypesOption.self] }
        set { self[AcceptableContentTypesOption.self] = newValue }
    }

    /// What the service wraps its answers in, and when an answer is a success (QSP-29). Default: nothing.
    public var envelope: Envelope? {
        get { self[EnvelopeOption.self] }
        set { self[EnvelopeOption.self] = newValue }
    }

    /// Whether the envelope's success condition is checked (QSP-22). Default: yes. Where it is not, an acceptable status is
    /// a success, and the value is made of the whole answer, as if there were no envelope.
    public var checksEnvelope: Bool? {
        get { self[ChecksEnvelope.self] }
        set { self[ChecksEnvelope.self] = newValue }
    }

    /// What the payload of the envelope, or the whole answer without one, must look like (YTK-15). Checked once, after
    /// the envelope and before anything is decoded; values that are not made of JSON skip it. Default: anything; `.any`
    /// switches a lower layer's shape off.
    public var shape: Shape? {
        get { self[ShapeOption.self] }
        set { self[ShapeOption.self] = newValue }
    }

    /// What turns a body into a `Decodable` value. Default: TarmacJSON with its standard strategies.
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
    static var sharing: AnswerSharing { .compared }
    static var field: WritableKeyPath<OptionValues, Int> { \.maximumBodySize }
}

enum MaximumInflatedSize: SizeOption {
    static let name = "maximumInflatedSize"
    static var sharing: AnswerSharing { .compared }
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

enum ChecksEnvelope: KernelOption {
    static let name = "checksEnvelope"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.checksEnvelope }
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
