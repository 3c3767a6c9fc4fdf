extension NameVocabulary {
    /// Words that give another word its harmless sense, and words that count.
    static let kinds: [Class] = [
        // Tokens that are positions, pieces of a text, coins or settings.
        Class(nil, [.tokenKind], "page next prev previous cursor continuation continue sync delta pagination paging scroll resume offset marker start skip"),
        Class(nil, [.tokenKind], "eos bos pad unk mask sep cls watch change changes history list position stop special design lexer parser syntax"),
        Class(nil, [.tokenKind], "erc nft governance utility lp base quote native fungible gas staking reward idempotency cancellation cancel concurrency"),
        Class(nil, [.tokenKind], "fencing end begin first newline whitespace keyword operator color spacing theme style added starting from to top text image audio video"),
        Class(nil, [.tokenKind], "comment meme literal per typography font semantic iterator checkpoint pagination gas decoder encoder query a stable fee bracket punctuation separator padding unknown classification"),
        Class(nil, [.measure], "num n number used usage prompt completion input output cached reasoning per rate budget consumed estimated available generated"),
        Class(nil, [.measure], "avg average context window predict cache text audio image video billed accepted rejected thinking bucket tool special"),
        Class(nil, [.measure], "predicted evaluated cost"),
        Class(nil, [.grant], "access refresh auth bearer security api bot csrf push registration session identity password email mail activation confirmation confirm personal device login reset invite verification user oauth"),
        // Sessions that people attend, which may have an identifier.
        Class(nil, [.sessionKind], "yoga workout study game photo jam breakout gym academic conference lab class exam therapy group sport tennis swim"),
        Class(nil, [.sessionKind], "fitness exercise massage treatment lecture seminar school term keynote poster workshop hackathon practice race chess"),
        // Passes that let someone in or go by.
        Class(nil, [.passKind], "hall backstage forward render season bus ski skipass day guest event lounge game press rail transit fast battle"),
        Class(nil, [.passKind], "ticket wallet week month year filter high low band all first second third rate test mountain annual visitor visitors"),
        Class(nil, [.passKind], "tests through criteria fail failed travel lift railway train metro museum backward build compiler multi single short long"),
        Class(nil, [.passKind], "free city park attraction beach tour flight airport ferry toll vaccine health covid gate hunter explorer interrail eurail"),
        Class(nil, [.passKind], "campus class lint analysis optimization speed access vip priority queue student senior child family tourist express quick review smoke sanity inspection blur bloom post"),
        Class(nil, [.passKind], "geometry opaque transparent ten three virtual digital mobile trial initial"),
        Class(nil, [.passKind], "one two final assist depth shadow lighting optimizer quality gold silver premium festival weekend pool summer winter gym"),
        // Pins on maps, boards and chips, and in sports.
        Class(nil, [.pinKind], "map push drop location gpio led input output data clock servo sensor analog digital ground power lapel hair safety"),
        Class(nil, [.pinKind], "place marker pinterest board chip signal reset interrupt rx tx miso mosi sda scl cs enable button relay motor buzzer"),
        Class(nil, [.pinKind], "house tail store ten nine custom golf destination origin cotter tie hat enamel firing king head clevis dowel linchpin thumb red blue green yellow white black flag golf"),
        Class(nil, [.pinKind], "header connector jumper trigger echo switch adc pwm dac irq vcc gnd on off"),
        Class(nil, [.signatureKind], "time key heat method function type call email mail handwritten wet spectral thermal gene sound"),
        Class(nil, [.cookieKind], "fortune chocolate chip oatmeal sugar ginger butter peanut recipe bake oreo"),
        Class(nil, [.secretKind], "santa scanning sauce menu level garden ingredient agent service life history recipe weapon mission society shopper"),
        Class(nil, [.secretKind], "alert alerts detected found leaked ballot lair namespace namespaces path paths identity identities admirer ref refs room area boss engine store stores backend backends scanner manager rotation"),
        // Counting words.
        Class(nil, [.counter, .measure], "ratelimit"),
        Class(nil, [.counter], "max maximum min minimum count counts total totals limit limits length len size sizes attempts retries tries quota remaining"),
        Class(
            nil, [.question],
            "has is allow allows allowed requires require needs supports use uses enable show hide did can should accept send with without are was must force disable disables block clear reject"),
        Class(nil, [.neutral], "x oauth params param"),
        Class(nil, [.neutral, .alone], "de di du da"),
    ]

    /// Words after a secret: its facts, and its forms.
    static let descriptions: [Class] = [
        Class(nil, [.fact], "type types kind kinds endpoint endpoints at date dates time times timestamp expiry expires expired expiration exp ttl"),
        Class(nil, [.fact], "url urls uri uris href lifetime age maxage duration policy policies strength method methods algorithm alg algorithms"),
        Class(nil, [.fact], "names state states scope scopes issuer audience format formats required enabled disabled changed updated created revoked"),
        Class(nil, [.fact], "name version versions status valid invalid verified match matches mismatch provider providers mode modes flow level levels"),
        Class(nil, [.fact], "source sources in on icon icons image color colour visibility visible hidden location domain samesite consent banner"),
        Class(nil, [.fact], "notice preferences placeholder description rules rule regex arn standard manager managers fingerprint pattern patterns"),
        Class(nil, [.fact], "requirements requirement error errors message messages symbol symbols decimals address addresses contract contracts supply"),
        Class(nil, [.fact], "price prices balance balances active present missing exists supported validity validation updatedat createdat expiresin"),
        Class(nil, [.fact], "expiresat interval position positions id ids identifier uuid index indices indexes offset offsets use used usage usages"),
        Class(nil, [.fact], "logo logos transfer transfers embedding embeddings metadata holder holders issued issue category categories"),
        Class(nil, [.fact], "country support supports strategy strategies channel channels configuration protected exempt provided evaluated predicted"),
        Class(nil, [.fact], "cached remaining window bucket buckets ratio rate rates cost costs probability probabilities logprob logprobs bias"),
        Class(nil, [.fact], "distribution frequency stats statistics weight weights span spans map mapping classification classifier ring swap sale"),
        Class(nil, [.fact], "economy economics market volume amount amounts list lists page pages prefix suffix delimiter separator per unit units"),
        Class(nil, [.fact], "owner creator resolver validator generator store storage cache middleware handler factory service endpoint refresher"),
        Class(nil, [.fact], "alias label labels days hours minutes seconds validator validators complexity reuse rotation rotated expire change set budget healing failures failure encoding toggle requires subject schema definition sent helper score properties ending bound uses cidrs"),
        Class(nil, [.fact], "protection issues introspection revocation exchange parser reader writer request screen page dialog button prompt"),
        Class(nil, [.value], "value values plaintext raw plain"),
        Class(nil, [.content], "value values data hash hashed string str info blob content payload proof raw plain plaintext encoded encrypted enc digest"),
        Class(nil, [.content], "primary secondary cliente contribuinte fiscal sociale header headers response base hex wif bytes salt hint confirmation confirm again repeat repeated"),
        Class(nil, [.content], "new old current temp temporary prod production dev staging sandbox live test"),
        Class(nil, [.content, .alone], "b v p sha md ed rsa hs rs pem der full"),
        Class(nil, [.part], "last four digits"),
        Class(nil, [.thing], "vehicle equipment aircraft vessel product animal asset engine chassis meter"),
        Class(nil, [], "author authors authority authorities secretary tokenizer passage passenger passengers bypass keyboard my"),
        Class(nil, [], "http https login mysql postgres redis db database smtp ftp mail default two"),
        Class(nil, [], "passwordless passes tokenize tokenization signer signal design designs pinned pins sessions codec codepage sidebar subscriptions"),
        Class(nil, [], "cardinality cardinal discard postcard scorecard cookiejar passing passed passport dine tinder tint casino signage pinstripe"),
    ]
}
