/// The rule that makes a value a secret. `explain` names it beside the mask.
package enum SecretRule: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // Rules of names. Their numbers fit six bits, which `NameVerdict` relies on.
    case password = 1, pin, secret, token, oneTimeCode, credentials, signature, forgeryToken, assertion, authorization, cookie, session
    case key, code, device, securityCode, number
    /// A name that the user hides.
    case named
    // Rules of shapes.
    case jwt, privateKey, bearer, providerKey, cardNumber, address
    /// A value that is a secret elsewhere in the same call.
    case known

    package var description: String {
        switch self {
        case .password: "password"
        case .pin: "PIN"
        case .secret: "secret"
        case .token: "token"
        case .oneTimeCode: "one-time code"
        case .credentials: "credentials"
        case .signature: "signature"
        case .forgeryToken: "CSRF token"
        case .assertion: "assertion"
        case .authorization: "authorization"
        case .cookie: "cookie"
        case .session: "session"
        case .key: "api key"
        case .code: "code"
        case .device: "device"
        case .securityCode: "security code"
        case .number: "account number"
        case .named: "named"
        case .jwt: "JWT"
        case .privateKey: "private key"
        case .bearer: "bearer"
        case .providerKey: "provider's key"
        case .cardNumber: "card number"
        case .address: "signed address"
        case .known: "known secret"
        }
    }
}
