/// The words of names and their meanings.
///
/// The lists follow the scrubbers of error trackers and web frameworks, the documentation of cloud providers and
/// of payment, messaging and repository services, and the standards of OAuth, OpenID Connect and HTTP.
enum NameVocabulary {
    struct Class: Sendable {
        let rule: SecretRule?
        let traits: NameTraits
        let words: StaticString

        init(_ rule: SecretRule? = nil, _ traits: NameTraits, _ words: StaticString) {
            self.rule = rule
            self.traits = traits
            self.words = words
        }
    }

    // Words are of `a` to `z`. Words of the other scripts are in `foreign`.
    static let classes: [Class] = [
        // Secret alone.
        Class(.password, [.secret, .anywhere], "password passwd passphrase passcode passwort kennwort contrasena motdepasse wachtwoord losenord lozinka"),
        Class(.password, [.secret, .anywhere], "passw pasword passord adgangskode salasana parolanumarasi"),
        Class(.password, [.secret], "passwords passphrases passcodes pwd pwds pswd psw psk passkey passkeys mnemonic puk"),
        Class(.password, [.secret, .tail], "mima kouling parola heslo haslo userpwd"),
        Class(.password, [.secret, .alone], "pw senha mdp sifre"),
        Class(.password, [.secret, .pass], "pass"),
        Class(.pin, [.secret, .alone], "pin"),
        Class(.pin, [.secret], "pincode pinblock mpin tpin"),
        Class(.secret, [.secret, .tail], "secret secrets"),
        Class(.secret, [.secret, .anywhere], "clientsecret appsecret secretkey secretaccess secretid"),
        Class(.token, [.secret, .tail, .token], "token"),
        Class(.token, [.secret, .tail, .token, .tokens], "tokens"),
        Class(.token, [.secret, .anywhere], "accesstoken authtoken refreshtoken idtoken bearertoken sessiontoken usertoken"),
        Class(.token, [.secret], "dpop"),
        Class(.token, [.secret, .alone], "jwt jwts jws jwe sas bearer verifier hdnts hdnea hdntl"),
        Class(.token, [.secret], "macaroon appcheck tokenvalue tgt cftoken"),
        Class(.oneTimeCode, [.secret, .alone], "otp totp hotp mfa tfa otps"),
        Class(.oneTimeCode, [.secret], "onetimecode twofactor otpcode captchacode otc otac vcode"),
        Class(.credentials, [.secret, .anywhere], "credential"),
        Class(.credentials, [.secret], "credentials creds cred logincreds"),
        Class(.signature, [.secret, .tail], "signature signatures"),
        Class(.signature, [.secret, .alone], "sig sigs hmac"),
        Class(.signature, [.secret, .sign], "sign"),
        Class(.forgeryToken, [.secret, .anywhere], "csrf xsrf antiforgery wpnonce"),
        Class(.assertion, [.secret], "assertion saml samlresponse samlrequest samlart"),
        Class(.authorization, [.secret, .anywhere], "authorization authorisation"),
        Class(.authorization, [.secret, .auth], "auth authentication basicauth"),
        Class(.cookie, [.secret], "cookie cookies setcookie"),
        Class(.session, [.secret, .anywhere], "sessionid sessid phpsessid jsessionid sessionkey"),
        Class(.session, [.secret, .alone], "sid sess"),
        Class(.session, [.session], "session"),
        Class(.securityCode, [.secret, .alone], "cvc cvv csc cvn cvd"),
        Class(.number, [.secret, .alone], "pan iban ssn nino cpf nric itin bsn"),
        Class(.number, [.secret], "aadhaar creditcard debitcard"),
        // Keys.
        Class(nil, [.key], "key keys"),
        Class(.key, [.secret, .anywhere], "apikey accesskey privatekey subscriptionkey encryptionkey signingkey masterkey licensekey consumerkey"),
        Class(.key, [.secret], "apikeys appkey authkey sharedkey ikey keypair presharedkey enckey xprv dek kek"),
        Class(nil, [.keyOwner], "api access private master subscription app apps application secret encryption encrypt decryption decrypt signing"),
        Class(nil, [.keyOwner], "service server account storage license licence auth authentication consumer function functions admin shared"),
        Class(nil, [.keyOwner], "client session device host root deploy deployment integration team write read activation recovery backup aes rsa"),
        Class(nil, [.keyOwner], "ssh gpg pgp ssl tls crypto symmetric wrapping instrumentation insert merchant webhook wallet seed user"),
        Class(nil, [.keyOwner], "aws azure stripe openai anthropic algolia mailgun sendgrid twilio github gitlab slack firebase mapbox datadog sentry"),
        Class(nil, [.keyOwner], "enc plaintext wrapped encrypted cipher fernet crypt wifi preshared"),
        Class(nil, [.keyOwner], "mch cert opsgenie fcm apns nuget artifactory newrelic bugsnag airbrake"),
        Class(nil, [.keyOwner], "heroku cloudflare rapidapi shopify paypal dropbox google gemini maps huggingface telegram discord line"),
        Class(nil, [.keyRole], "sort primary foreign public cache partition idempotency object page row column unique natural composite hash range"),
        Class(nil, [.keyRole], "map dictionary lookup group index search translation message locale event routing kms websocket sorting ordering"),
        Class(nil, [.keyRole], "order string label menu hot short query storagepath path field json dedupe deduplication collapse grouping query shortcut"),
        // Codes and identifiers.
        Class(nil, [.code], "code codes"),
        Class(nil, [.codeOwner], "authorization auth activation recovery backup confirmation confirm sms reset invite invitation verify user device session"),
        Class(nil, [.codeOwner], "security access pass unlock login otp mfa totp pin factor onetime email phone registration pairing secret exchange grant"),
        Class(nil, [.codeOwner], "validation voucher gift redemption door gate alarm lock lockbox js verification authentication oauth sso token"),
        Class(.device, [.holder], "device verification"),
        Class(nil, [.identifier, .content], "id ids identifier uuid guid uid udid"),
        Class(nil, [.ticket, .content], "ticket tickets"),
        Class(nil, [.content], "data hash value string info blob content payload"),
        // Numbers of cards, accounts and documents.
        Class(nil, [.numberOwner], "card account acct routing bank iban insurance license licence credit debit"),
        Class(.number, [.document, .numberOwner], "passport national tax social citizen identity taxpayer ssn"),
        Class(nil, [.number], "number numbers no num nr"),
        // Words after a secret that describe it.
        Class(nil, [.fact], "type types kind url urls uri uris endpoint endpoints at date time timestamp expiry expires expired expiration exp ttl"),
        Class(nil, [.fact], "lifetime age maxage duration policy policies strength method methods algorithm alg algorithms version versions name"),
        Class(nil, [.fact], "names status state scope scopes issuer audience format required enabled disabled changed updated created revoked valid"),
        Class(nil, [.fact], "invalid verified match matches mismatch provider providers mode flow level source in on icon image color visibility"),
        Class(nil, [.fact], "visible hidden location domain samesite consent banner notice preferences placeholder title description rules regex"),
        Class(nil, [.fact], "arn standard manager fingerprint pattern requirements requirement error errors"),
        Class(nil, [.fact], "message messages symbol decimals address contract supply price balance"),
        Class(nil, [.fact], "active present missing exists supported validity validation updatedat createdat expiresin expiresat interval position"),
        Class(nil, [.authFact], "email user username server realm"),
        // Counting words.
        Class(
            nil, [.counter], "max maximum min minimum count counts total totals limit limits length len size sizes attempts retries tries quota remaining"),
        Class(nil, [.measure], "num used usage prompt completion input output cached reasoning per rate budget consumed estimated available generated avg"),
        Class(nil, [.measure], "average context window predict cache text audio billed accepted rejected"),
        Class(nil, [.question], "has is allow allows allowed requires require needs supports use uses enable show hide forgot can should accept send"),
        // Tokens that are positions.
        Class(nil, [.cursor], "page next prev previous cursor continuation continue sync delta pagination paging scroll resume offset marker start skip"),
        Class(nil, [.cursor], "eos bos pad unk mask watch change changes history list position"),
        Class(nil, [.grant], "access refresh auth bearer security api bot csrf session identity personal device login reset invite verification user oauth"),
        // Others.
        Class(nil, [.passKind], "hall backstage forward render boarding season bus ski skipass day guest event"),
        Class(nil, [.passKind], "ticket wallet week month filter high low band all first second rate test"),
        Class(nil, [.passKind], "tests through criteria fail failed travel lift railway train metro museum"),
        Class(nil, [.signVerb], "in up out off on"),
        Class(nil, [.signKind], "zodiac star road traffic street vital plus minus dollar equal equals call neon stop birth"),
        Class(nil, [.neutral], "x oauth query params param body form"),
        Class(nil, [], "author authors authority authorities secretary tokenizer passage passenger passengers bypass passport keyboard new old current my"),
        Class(nil, [], "web http https login mobile mysql postgres redis db database smtp ftp mail confirm repeat temp temporary default two"),
        Class(nil, [], "passwordless passes tokenize tokenized signed signer signal design designs pinned pins sessions codec codepage sidebar"),
    ]

    /// Two words that are secret only together, in this order.
    static let pairs: [(rule: SecretRule, words: StaticString)] = [
        (.key, "key pair connection string honeycomb team ovh consumer ovh application q ak seed phrase recovery phrase backup phrase"),
        (.credentials, "client cert client certificate client principal magic link login link"),
        (.number, "bank account credit card debit card social security sort code card pan"),
        (.number, "id number cc number cc num drivers license driver license card verification"),
        (.session, "wordpress logged login ticket service ticket kerberos ticket"),
        (.oneTimeCode, "two factor"),
        (.forgeryToken, "jenkins crumb"),
    ]

    /// Stems in other scripts, in lower case. A name that contains one is secret.
    static let foreign: [(rule: SecretRule, stem: String)] = [
        (.password, "密码"), (.password, "密碼"), (.password, "口令"), (.token, "令牌"), (.token, "权杖"), (.key, "密钥"), (.key, "密鑰"),
        (.key, "私钥"), (.key, "秘钥"), (.oneTimeCode, "验证码"), (.oneTimeCode, "驗證碼"), (.signature, "签名"), (.signature, "簽名"),
        (.credentials, "凭证"), (.credentials, "凭据"), (.password, "パスワード"),
        (.password, "暗証番号"), (.token, "トークン"), (.password, "비밀번호"),
        (.password, "암호"), (.token, "토큰"), (.password, "пароль"), (.password, "пароля"), (.token, "токен"), (.secret, "секрет"),
        (.password, "contraseñ"), (.password, "lösenord"), (.password, "hasło"), (.password, "şifre"), (.password, "mật khẩu"), (.password, "mật_khẩu"),
        (.password, "كلمة المرور"), (.password, "סיסמה"), (.password, "รหัสผ่าน"), (.password, "κωδικός"), (.signature, "подпись"),
        (.number, "银行卡号"), (.number, "身份证"), (.number, "卡号"),
    ]
}
