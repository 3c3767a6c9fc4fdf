extension Options {
    /// How bodies are encrypted (XF-11). Default: not at all.
    ///
    /// It holds for the service's own origins, whole bodies and buffered calls; anything else is refused, never sent in
    /// the clear.
    public var encryption: PayloadEncryption? {
        get { self[EncryptionOption.self] }
        set { self[EncryptionOption.self] = newValue }
    }

    /// How requests are signed (XF-11). Default: not at all. Requests to other origins than the service's own go out
    /// unsigned.
    public var signing: RequestSigning? {
        get { self[SigningOption.self] }
        set { self[SigningOption.self] = newValue }
    }

    /// How the signatures of responses are checked (XF-11). Default: not at all. Responses of other origins than the
    /// service's own are refused.
    public var verification: ResponseVerification? {
        get { self[VerificationOption.self] }
        set { self[VerificationOption.self] = newValue }
    }
}

enum EncryptionOption: BuiltInOption {
    static let name = "encryption"
    typealias Value = PayloadEncryption
    static var field: WritableKeyPath<OptionValues, PayloadEncryption> { \.encryption }
}

enum SigningOption: BuiltInOption {
    static let name = "signing"
    typealias Value = RequestSigning
    static var field: WritableKeyPath<OptionValues, RequestSigning> { \.signing }
}

enum VerificationOption: BuiltInOption {
    static let name = "verification"
    typealias Value = ResponseVerification
    static var field: WritableKeyPath<OptionValues, ResponseVerification> { \.verification }
}
