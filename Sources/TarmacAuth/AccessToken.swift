import HTTPTypes
import TarmacDigest

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// A token that proves the identity of a caller, with the values needed to get the next one (RFC 6749 §1.4, §1.5).
///
/// ```swift
/// try await client[.shop].logIn(AccessToken(session.token, refreshToken: session.refresh, expiry: session.expires))
/// ```
/// `print`, `dump` and errors never show its values. Encoding does, for a ``TokenStore``.
public struct AccessToken: Sendable, Hashable {
    /// The token that each request carries.
    public var value: String { didSet { bearer = BearerField() } }
    /// The refresh token, used to get the next token. Default: `nil`, the token cannot be refreshed this way.
    public var refreshToken: String?
    /// The time at which the token expires, by the wall clock. Default: `nil`, the server's 401 shows the expiry.
    public var expiry: Date? { didSet { expiryBasis = ExpiryBasis() } }
    /// The granted scope, if the server names it (RFC 6749 §3.3).
    public var scope: String?
    /// Other values that an authenticator keeps with the token, such as a device or a signing key. They are secret too.
    public var extras: [String: String]
    /// The account that the token belongs to. Cached responses and cookies of one account are never visible to another; those of calls
    /// without a login, such as the one that logs in and those of a refresh (``RefreshContext/client``), belong to none.
    /// Default: `nil`, each ``CallSender/logIn(_:as:)`` is a separate account, and so is each token that a store returns without one. An
    /// empty text counts as `nil`. Refreshed tokens inherit the account. A call belongs to the account under which it began, and ends with
    /// `.loggedOut` under another.
    public var account: String?
    /// The header field for requests, made once for all of them.
    private(set) var bearer = BearerField()
    var expiryBasis = ExpiryBasis()

    public init(
        _ value: String, refreshToken: String? = nil, expiry: Date? = nil, scope: String? = nil, extras: [String: String] = [:],
        account: String? = nil
    ) {
        self.value = value
        self.refreshToken = refreshToken
        self.expiry = expiry
        self.scope = scope
        self.extras = extras
        self.account = account
    }

    /// Returns the token with its field, if the token can be sent in one.
    func prepared() -> AccessToken {
        var copy = self
        copy.bearer.field = try? BearerCredentials(value).field
        return copy
    }

    /// The token of a store that keeps no account, with one that is its own: without any, all users of the store would be one.
    var withAccount: AccessToken {
        if account?.isEmpty == false { return self }
        var token = self
        token.account = Self.madeUp + Hexadecimal.text(Array(PublicHash.hash(Array((refreshToken ?? value).utf8)).prefix(8)))
        return token
    }

    /// Returns an account for a login that names none.
    static func newAccount() -> String {
        madeUp + String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    private static let madeUp = "token "

    /// Whether the account is named, and not made for a token without one.
    var hasNamedAccount: Bool { account.map { !$0.isEmpty && !$0.hasPrefix(Self.madeUp) } ?? false }

    /// Whether a store that keeps no account returned the other token.
    func lacksOnlyAccount(of other: AccessToken) -> Bool {
        account == nil && value.isExactly(other.value) && refreshToken.isExactly(other.refreshToken)
    }

    /// Whether both have the same values. An expiry may lose its last digits in a store.
    func isSame(as other: AccessToken) -> Bool {
        value.isExactly(other.value) && refreshToken.isExactly(other.refreshToken) && account.isExactly(other.account)
    }
}

/// The field `Authorization: Bearer …` of a token. It follows from the token, so it does not count in comparisons.
struct BearerField: Sendable, Hashable {
    /// The field. `nil` until it is made, and for a token that cannot be sent in one.
    var field: HTTPField?
    static func == (one: Self, other: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

/// The clock that an expiry was counted by. It does not count in comparisons.
struct ExpiryBasis: Sendable, Hashable {
    /// Whether the device's clock was used, so that a difference from the server's does not matter.
    var isOwnClock = false
    static func == (one: Self, other: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension AccessToken: Codable {
    private enum CodingKeys: String, CodingKey { case value, refreshToken, expiry, scope, extras, account }

    /// Creates a token from its encoded form. Every key except `value` may be missing, so that older entries of a store
    /// stay readable.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        value = try members.decode(String.self, forKey: .value)
        refreshToken = try members.decodeIfPresent(String.self, forKey: .refreshToken)
        // Seconds since 1970, independent of the coder's date strategy.
        expiry = try members.decodeIfPresent(Double.self, forKey: .expiry).map { Date(timeIntervalSince1970: $0) }
        scope = try members.decodeIfPresent(String.self, forKey: .scope)
        extras = try members.decodeIfPresent([String: String].self, forKey: .extras) ?? [:]
        account = try members.decodeIfPresent(String.self, forKey: .account)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(value, forKey: .value)
        try members.encodeIfPresent(refreshToken, forKey: .refreshToken)
        try members.encodeIfPresent(expiry?.timeIntervalSince1970, forKey: .expiry)
        try members.encodeIfPresent(scope, forKey: .scope)
        if !extras.isEmpty { try members.encode(extras, forKey: .extras) }
        try members.encodeIfPresent(account, forKey: .account)
    }
}

extension AccessToken: MaskedReflectable, CustomDebugStringConvertible {
    /// The properties that the token has, never their values.
    public var description: String {
        "access token" + (refreshToken == nil ? "" : ", refreshable") + (expiry.map { ", until \($0.timeIntervalSince1970) s" } ?? "")
    }
    public var debugDescription: String { description }
}
