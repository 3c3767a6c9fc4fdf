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

package enum EncryptionOption: OptionKey {
    package static let name = "encryption"
    package static var defaultValue: PayloadEncryption { .off }
    package static var sharing: AnswerSharing { .exclusive }
    package static var seat: Seat? { Seat(.sealing) }
    package static func stage(_ value: PayloadEncryption, in scope: StageScope) -> (any Interceptor)? {
        value.cipher.map { EncryptionInterceptor(cipher: $0) }
    }
}

enum SigningOption: OptionKey {
    static let name = "signing"
    static var defaultValue: RequestSigning { .off }
    static var sharing: AnswerSharing { .exclusive }
    static var seat: Seat? { Seat(.signing) }
    /// Signs and verifies in one stage.
    static func stage(_ value: RequestSigning, in scope: StageScope) -> (any Interceptor)? {
        value.signer.map { SignatureInterceptor(signer: $0, verifier: scope.option(VerificationOption.self).verifier) }
    }
}

package enum VerificationOption: OptionKey {
    package static let name = "verification"
    package static var defaultValue: ResponseVerification { .off }
    package static var sharing: AnswerSharing { .exclusive }
    package static var seat: Seat? { Seat(.signing) }
    package static func stage(_ value: ResponseVerification, in scope: StageScope) -> (any Interceptor)? {
        // The stage of the signer verifies too.
        guard scope.option(SigningOption.self).signer == nil else { return nil }
        return value.verifier.map { SignatureInterceptor(signer: nil, verifier: $0) }
    }
}
