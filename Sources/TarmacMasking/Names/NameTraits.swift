/// The meanings of a word in a name. A word may have several.
struct NameTraits: OptionSet, Sendable {
    let rawValue: UInt64

    /// Makes a name secret alone.
    static let secret = NameTraits(rawValue: 1 << 0)
    /// Makes a name secret inside a word that is not in the vocabulary, as in `mysqlpassword1x`.
    static let anywhere = NameTraits(rawValue: 1 << 1)
    /// Makes a name secret at the end of a word that is not in the vocabulary, as in `stripetoken`.
    static let tail = NameTraits(rawValue: 1 << 2)
    /// Describes a secret when it follows it: `token_type`.
    static let fact = NameTraits(rawValue: 1 << 3)
    /// Counts: the value decides. `max_tokens`, `password_attempts`.
    static let counter = NameTraits(rawValue: 1 << 4)
    /// Counts tokens: `prompt_tokens`.
    static let measure = NameTraits(rawValue: 1 << 5)
    /// Asks whether: `has_password`. The value decides.
    static let question = NameTraits(rawValue: 1 << 6)
    static let token = NameTraits(rawValue: 1 << 7)
    static let tokens = NameTraits(rawValue: 1 << 8)
    /// Makes a token a position in a list: `next_page_token`.
    static let cursor = NameTraits(rawValue: 1 << 9)
    /// Makes a token a credential in any case: `page_access_token`.
    static let grant = NameTraits(rawValue: 1 << 10)
    static let key = NameTraits(rawValue: 1 << 11)
    /// Makes a key secret: `api_key`.
    static let keyOwner = NameTraits(rawValue: 1 << 12)
    /// Makes a key harmless when it stands before it: `sort_key`.
    static let keyRole = NameTraits(rawValue: 1 << 13)
    static let code = NameTraits(rawValue: 1 << 14)
    /// Makes a code secret when it stands before it: `recovery_code`.
    static let codeOwner = NameTraits(rawValue: 1 << 15)
    static let identifier = NameTraits(rawValue: 1 << 16)
    static let session = NameTraits(rawValue: 1 << 17)
    /// Makes an identifier, code, key or ticket secret when it stands before it: `device_id`.
    static let holder = NameTraits(rawValue: 1 << 18)
    static let ticket = NameTraits(rawValue: 1 << 19)
    static let number = NameTraits(rawValue: 1 << 20)
    /// Makes a number secret when it stands before it: `card_number`.
    static let numberOwner = NameTraits(rawValue: 1 << 21)
    /// Makes an identifier secret as well: `tax_id`.
    static let document = NameTraits(rawValue: 1 << 22)
    static let auth = NameTraits(rawValue: 1 << 23)
    static let authFact = NameTraits(rawValue: 1 << 24)
    static let pass = NameTraits(rawValue: 1 << 25)
    static let passKind = NameTraits(rawValue: 1 << 26)
    static let sign = NameTraits(rawValue: 1 << 27)
    static let signVerb = NameTraits(rawValue: 1 << 28)
    static let signKind = NameTraits(rawValue: 1 << 29)
    /// Says nothing about the value: `oauth_code`, `x-code`.
    static let neutral = NameTraits(rawValue: 1 << 30)
    /// What a session holds: `session_data`.
    static let content = NameTraits(rawValue: 1 << 31)
    /// Starts one of the pairs of the vocabulary.
    static let pairHead = NameTraits(rawValue: 1 << 32)

    /// Words without which no name is secret.
    static let needed: NameTraits = [.secret, .key, .code, .session, .holder, .numberOwner, .document, .pairHead]
    /// Words that take no part in a word of several words: too short or too frequent in others.
    static let alone = NameTraits(rawValue: 1 << 33)
}
