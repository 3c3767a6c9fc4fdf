/// The meanings of a word in a name. A word may have several.
struct NameTraits: OptionSet, Sendable {
    let rawValue: UInt64

    // MARK: Secrets

    /// Makes a name secret alone.
    static let secret = NameTraits(rawValue: 1 << 0)
    /// Is a secret only as the head of the name: `user_pin` but not `pin_color`.
    static let head = NameTraits(rawValue: 1 << 1)
    /// Makes a name secret inside a word that is not in the vocabulary, as in `mysqlpassword1x`.
    static let anywhere = NameTraits(rawValue: 1 << 2)
    /// Makes a name secret at the end of a word that is not in the vocabulary, as in `stripetoken`.
    static let tail = NameTraits(rawValue: 1 << 3)
    /// Words that take no part in a word of several words: too short or too frequent in others.
    static let alone = NameTraits(rawValue: 1 << 4)

    /// Words that are no part of a longer one, even if that consists of words: `nin` in `signin`.
    static let whole = NameTraits(rawValue: 1 << 53)

    // MARK: After a secret

    /// Describes a secret when it follows it: `token_type`.
    static let fact = NameTraits(rawValue: 1 << 5)
    /// Is the secret itself, in some form: `pin_hash`, `cookie_header`.
    static let content = NameTraits(rawValue: 1 << 6)
    /// Is the secret's value even after a fact: `token_name_value`.
    static let value = NameTraits(rawValue: 1 << 7)
    static let identifier = NameTraits(rawValue: 1 << 8)
    static let number = NameTraits(rawValue: 1 << 9)
    /// Is a part of a number: `ssn_last_four`.
    static let part = NameTraits(rawValue: 1 << 51)
    /// Has harmless numbers: `vehicle_identification_number`.
    static let thing = NameTraits(rawValue: 1 << 52)

    // MARK: Anywhere

    /// Counts: the value decides. `max_tokens`, `password_attempts`.
    static let counter = NameTraits(rawValue: 1 << 10)
    /// Asks whether: `has_password`. The value decides.
    static let question = NameTraits(rawValue: 1 << 11)
    /// Says nothing about the value: `oauth_code`, `x-code`.
    static let neutral = NameTraits(rawValue: 1 << 12)

    // MARK: Words with several senses, and the words that give them the harmless one

    static let token = NameTraits(rawValue: 1 << 13)
    static let tokens = NameTraits(rawValue: 1 << 14)
    /// Makes a token a position in a list or a piece of a text: `next_page_token`, `eos_token`.
    static let tokenKind = NameTraits(rawValue: 1 << 15)
    /// Counts tokens: `prompt_tokens`.
    static let measure = NameTraits(rawValue: 1 << 16)
    /// Makes a token a credential in any case: `page_access_token`.
    static let grant = NameTraits(rawValue: 1 << 17)
    static let session = NameTraits(rawValue: 1 << 18)
    /// Makes a session one of people, also with an identifier: `training_session_id`.
    static let sessionKind = NameTraits(rawValue: 1 << 50)
    /// Makes a session one of a program when it comes before it: `laravel_session`. Others are of people: `yoga_session`.
    static let sessionOwner = NameTraits(rawValue: 1 << 19)
    static let pass = NameTraits(rawValue: 1 << 20)
    static let passKind = NameTraits(rawValue: 1 << 21)
    static let pin = NameTraits(rawValue: 1 << 22)
    static let pinKind = NameTraits(rawValue: 1 << 23)
    static let sign = NameTraits(rawValue: 1 << 24)
    /// Makes a sign one of a program when it comes before it: `pay_sign`. Others are on roads and in the sky.
    static let signOwner = NameTraits(rawValue: 1 << 25)
    static let cookie = NameTraits(rawValue: 1 << 26)
    static let cookieKind = NameTraits(rawValue: 1 << 27)
    /// Gives `secret` another sense when it follows it: `secret_santa`.
    static let secretKind = NameTraits(rawValue: 1 << 28)

    // MARK: Words that are secret together

    static let key = NameTraits(rawValue: 1 << 29)
    /// Makes a key secret wherever it comes before it: `api_key`, `encryption_customer_key`.
    static let keyOwner = NameTraits(rawValue: 1 << 30)
    /// Makes the key secret that follows it: `deploy_key`.
    static let keyNeighbor = NameTraits(rawValue: 1 << 48)
    /// A service: makes a key secret, and may follow a secret, as in `token_github`.
    static let provider = NameTraits(rawValue: 1 << 49)
    /// Makes a key harmless when it comes before it: `sort_key`.
    static let keyRole = NameTraits(rawValue: 1 << 31)
    /// Makes the identifier of a key secret as well: `AWSAccessKeyId`.
    static let keyIdentity = NameTraits(rawValue: 1 << 32)
    static let code = NameTraits(rawValue: 1 << 33)
    /// Makes a code secret when it comes before it: `recovery_code`.
    static let codeOwner = NameTraits(rawValue: 1 << 34)
    /// Makes an identifier, code, key or ticket secret when it comes before it: `device_id`.
    static let holder = NameTraits(rawValue: 1 << 35)
    static let ticket = NameTraits(rawValue: 1 << 36)
    /// Makes a ticket secret when it comes before it: `login_ticket`.
    static let ticketOwner = NameTraits(rawValue: 1 << 37)
    /// Makes a number secret when it comes before it: `card_number`.
    static let numberOwner = NameTraits(rawValue: 1 << 38)
    /// Makes an identifier secret as well: `tax_id`.
    static let document = NameTraits(rawValue: 1 << 39)
    static let link = NameTraits(rawValue: 1 << 40)
    /// Makes an address secret when it comes before it: `signed_url`.
    static let linkOwner = NameTraits(rawValue: 1 << 41)
    static let phrase = NameTraits(rawValue: 1 << 42)
    /// Makes a phrase or its words secret: `seed_phrase`.
    static let phraseOwner = NameTraits(rawValue: 1 << 43)
    /// Starts one of the pairs of the vocabulary.
    static let pairHead = NameTraits(rawValue: 1 << 44)
    static let signature = NameTraits(rawValue: 1 << 46)
    static let signatureKind = NameTraits(rawValue: 1 << 47)
    /// A word that is not in the vocabulary and ends in `ing` or `ly`: an activity or a time, as in `coaching_session` and `weekly_pass`.
    static let activity = NameTraits(rawValue: 1 << 45)

    /// Words without which no name is secret.
    static let needed: NameTraits = [
        .secret, .key, .code, .session, .holder, .ticketOwner, .numberOwner, .document, .linkOwner, .phraseOwner, .pairHead,
    ]
}
