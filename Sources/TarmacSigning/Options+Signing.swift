@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The encryption of request and response bodies. Default: ``PayloadEncryption/off``.
    ///
    /// It applies to the service's own origins, to bodies in memory and to calls that collect their response. Other calls
    /// fail with `TarmacError(.unsupported)`, or with `TarmacError(.redirectRefused)` after a redirect to a foreign origin.
    /// Nothing is sent in plain text.
    ///
    /// ```swift
    /// options.encryption = .cipher(cipher)
    /// ```
    public var encryption: PayloadEncryption? {
        get { self[EncryptionOption.self] }
        set { self[EncryptionOption.self] = newValue }
    }

    /// The signature of requests. Default: ``RequestSigning/off``. Requests to origins other than the service's own are not
    /// signed.
    ///
    /// ```swift
    /// options.signing = .signer(signer)
    /// ```
    public var signing: RequestSigning? {
        get { self[SigningOption.self] }
        set { self[SigningOption.self] = newValue }
    }

    /// The verification of responses. Default: ``ResponseVerification/off``. Requests to origins other than the service's own
    /// fail with `TarmacError(.unsupported)`, or with `TarmacError(.redirectRefused)` after a redirect.
    ///
    /// ```swift
    /// options.verification = .verifier(verifier)
    /// ```
    public var verification: ResponseVerification? {
        get { self[VerificationOption.self] }
        set { self[VerificationOption.self] = newValue }
    }
}

package enum EncryptionOption: ProtectionOption {
    package static let name = "encryption"
    package static var defaultValue: PayloadEncryption { .off }
    package static var sharing: ResponseSharing { .exclusive }
    package static var seat: Seat? { Seat(.sealing) }
    package static func stage(_ value: PayloadEncryption, in scope: StageScope) -> (any Interceptor)? {
        value.cipher.map { EncryptionInterceptor(cipher: $0) }
    }
    package static func protection(of value: PayloadEncryption) -> MessageProtection { value.cipher == nil ? [] : .encryption }
}

package enum SigningOption: OptionKey {
    package static let name = "signing"
    package static var defaultValue: RequestSigning { .off }
    package static var sharing: ResponseSharing { .exclusive }
    package static var seat: Seat? { Seat(.signing) }
    /// The stage also verifies responses if ``Options/verification`` is set.
    package static func stage(_ value: RequestSigning, in scope: StageScope) -> (any Interceptor)? {
        value.signer.map { SignatureInterceptor(signer: $0, verifier: scope.option(VerificationOption.self).verifier) }
    }
}

package enum VerificationOption: ProtectionOption {
    package static let name = "verification"
    package static var defaultValue: ResponseVerification { .off }
    package static var sharing: ResponseSharing { .exclusive }
    package static var seat: Seat? { Seat(.signing) }
    package static func stage(_ value: ResponseVerification, in scope: StageScope) -> (any Interceptor)? {
        // The stage of the signer also verifies.
        guard scope.option(SigningOption.self).signer == nil else { return nil }
        return value.verifier.map { SignatureInterceptor(signer: nil, verifier: $0) }
    }
    package static func protection(of value: ResponseVerification) -> MessageProtection { value.verifier == nil ? [] : .verification }
}
