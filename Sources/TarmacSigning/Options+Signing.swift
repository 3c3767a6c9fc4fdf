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
        get { self[Settings.encryption] }
        set { self[Settings.encryption] = newValue }
    }

    /// The signature of requests. Default: ``RequestSigning/off``. Requests to origins other than the service's own are not
    /// signed.
    ///
    /// ```swift
    /// options.signing = .signer(signer)
    /// ```
    public var signing: RequestSigning? {
        get { self[Settings.signing] }
        set { self[Settings.signing] = newValue }
    }

    /// The verification of responses. Default: ``ResponseVerification/off``. Requests to origins other than the service's own
    /// fail with `TarmacError(.unsupported)`, or with `TarmacError(.redirectRefused)` after a redirect.
    ///
    /// ```swift
    /// options.verification = .verifier(verifier)
    /// ```
    public var verification: ResponseVerification? {
        get { self[Settings.verification] }
        set { self[Settings.verification] = newValue }
    }
}

extension Settings {
    package static let encryption = Setting<PayloadEncryption>("encryption", default: .off) {
        $0.sharing = .exclusive
        $0.stage(at: Seat(.sealing)) { value, _ in
            value.cipher.map { EncryptionInterceptor(cipher: $0) }
        }
        $0.protection = { value in value.cipher == nil ? [] : .encryption }
    }

    package static let signing: Setting<RequestSigning> = Setting("signing", default: .off) {
        $0.sharing = .exclusive
        // The stage also verifies responses if ``Options/verification`` is set.
        $0.stage(at: Seat(.signing)) { value, scope in
            value.signer.map { SignatureInterceptor(signer: $0, verifier: scope.option(Settings.verification).verifier) }
        }
    }

    package static let verification: Setting<ResponseVerification> = Setting("verification", default: .off) {
        $0.sharing = .exclusive
        $0.stage(at: Seat(.signing)) { value, scope in
            // The stage of the signer also verifies.
            guard scope.option(Settings.signing).signer == nil else { return nil }
            return value.verifier.map { SignatureInterceptor(signer: nil, verifier: $0) }
        }
        $0.protection = { value in value.verifier == nil ? [] : .verification }
    }
}
