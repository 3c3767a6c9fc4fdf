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
    static let classes: [Class] = secrets + numbers + owners + kinds + descriptions

    /// Words that are secret alone.
    private static let secrets: [Class] = [
        Class(.password, [.secret, .anywhere, .grant], "password passwd passphrase passcode passwort kennwort contrasena motdepasse wachtwoord losenord lozinka"),
        Class(.password, [.secret, .anywhere], "passw pasword passord adgangskode salasana parolanumarasi slaptazodis slaptazodzio jelszo zaporka"),
        Class(.password, [.secret], "passwords passphrases passcodes pwd pwds pswd psw passkey passkeys mnemonic mnemonics katasandi"),
        Class(.password, [.secret], "katalaluan matkhau kodeord contrasenia geslo parool heslo salasanat paswort claveacceso clavesecreta"),
        Class(.password, [.secret, .tail], "mima kouling parola haslo userpwd"),
        Class(.password, [.secret, .alone], "pw senha mdp sifre psk puk clave"),
        Class(.password, [.secret, .head, .pass], "pass"),
        Class(.pin, [.secret, .head, .alone, .pin], "pin"),
        Class(.pin, [.secret], "pincode pinblock mpin tpin upin"),
        Class(.secret, [.secret, .tail], "secret secrets"),
        Class(.secret, [.secret, .anywhere], "clientsecret appsecret secretkey secretaccess secretid"),
        Class(.token, [.secret, .head, .tail, .token], "token"),
        Class(.token, [.secret, .head, .tail, .token, .tokens], "tokens"),
        Class(.token, [.secret, .head, .anywhere, .token, .grant], "accesstoken authtoken refreshtoken idtoken bearertoken sessiontoken usertoken"),
        Class(.token, [.secret, .head, .alone], "npsso"),
        Class(.key, [.secret, .head, .alone], "wif"),
        Class(.token, [.secret, .head], "dpop macaroon appcheck tgt cftoken uptoken zak cryptogram cavv tavv castgc aspxauth jeton"),
        Class(.token, [.secret, .head, .alone], "jwt jwts jws jwe sas bearer verifier hdnts hdnea hdntl"),
        Class(.oneTimeCode, [.secret, .head, .alone], "otp totp hotp mfa tfa otps otc otac"),
        Class(.oneTimeCode, [.secret, .head], "onetimecode twofactor otpcode captchacode vcode oob"),
        Class(.credentials, [.secret, .anywhere], "credential"),
        Class(.credentials, [.secret], "credentials creds cred logincreds"),
        Class(.signature, [.secret, .head, .tail, .signature], "signature signatures"),
        Class(.signature, [.secret, .head, .alone], "sig sigs hmac"),
        Class(.signature, [.secret, .head, .sign], "sign"),
        Class(.forgeryToken, [.secret, .head, .anywhere], "csrf xsrf antiforgery wpnonce requestverificationtoken"),
        Class(.assertion, [.secret, .head], "assertion saml samlresponse samlrequest samlart wresult"),
        Class(.authorization, [.secret, .head, .anywhere], "authorization authorisation"),
        Class(.authorization, [.secret, .head], "auth authentication basicauth"),
        Class(.cookie, [.secret, .head, .cookie], "cookie cookies setcookie"),
        Class(.session, [.secret, .head, .anywhere], "sessionid sessid phpsessid jsessionid sessionkey"),
        Class(.session, [.secret, .head, .alone], "sid sess psid hsid apisid sapisid bduss stoken sessdata"),
        Class(.session, [.session], "session"),
        Class(.key, [.secret, .head, .anywhere], "apikey privatekey subscriptionkey encryptionkey signingkey masterkey licensekey consumerkey"),
        Class(.key, [.secret, .head, .anywhere, .keyIdentity], "accesskey keypair"),
        Class(.key, [.secret, .head], "ak apikeys appkey authkey sharedkey ikey presharedkey enckey xprv dek kek writekey sdkkey"),
    ]

    /// Numbers of cards, accounts and documents.
    private static let numbers: [Class] = [
        Class(.securityCode, [.secret, .head, .alone], "cvc cvv csc cvn cvd ccv"),
        Class(.number, [.secret, .head, .alone, .whole], "pan iban ssn nino cpf cnpj nric itin bsn pesel dni nif nie tin ein tfn rrn hkid egn cbu"),
        Class(.number, [.secret, .head], "aadhaar aadhar creditcard debitcard clabe curp cuit cuil mykad rodnecislo personnummer personnumber fodselsnummer"),
        Class(.number, [.secret, .head], "henkilotunnus hetu codicefiscale steuernummer steuerid steueridentifikationsnummer sozialversicherungsnummer"),
        Class(.number, [.secret, .head], "kontonummer kartennummer ccnum ccnumber ccno cardno cardnum idcard mynumber ssnumber"),
        Class(.number, [.secret, .head], "passport amka oib niss insz svnr tckn kennitala isikukood mrz ppsn cnic ktp cmnd cccd jmbg ahvnummer fodselsnr"),
        Class(.number, [.secret, .head], "personnr svnummer steuernr idnr burgerservicenummer rijksregisternummer teudatzehut shenfenzheng pancard dpan fpan"),
        Class(.number, [.secret, .head, .alone, .whole], "mrn cpr fein utr cnp emso cnh bsb cedula rut bvn nin"),
        Class(nil, [.numberOwner], "card account acct acc routing bank iban insurance license licence credit debit aba bsb cc ahv nhs medicare"),
        Class(nil, [.numberOwner], "personal resident registration visa residence permit citizenship cpr sin dl nin nie rut inss ird fin rfc insee"),
        Class(nil, [.document, .numberOwner], "passport national tax citizen taxpayer ssn voter steuer social emirates iqama civil thai medicare medicaid government govt gov nhs healthcare bvn nin"),
        Class(nil, [.document, .numberOwner], "qid nid military uidai uscis payer alien kimlik cedula rut rg dpi dui ruc nik nip egn oib amka"),
        Class(nil, [.numberOwner], "identification nic rtn record beneficiary jumin nir secu pps ni afm avs isikukood identificacao identificacion cliente titulo nis pis"),
        Class(nil, [.numberOwner], "identity cuenta compte cpf dni tarjeta carte cartao conta sozialversicherungs medical health"),
        Class(nil, [.number], "number numbers no num nr numero nummer"),
        Class(.number, [.secret, .head], "trackdata magstripe"),
    ]

    /// Words that make a key, a code, a ticket or an address secret.
    private static let owners: [Class] = [
        Class(nil, [.key, .content], "key keys"),
        Class(nil, [.keyIdentity], "access"),
        Class(nil, [.keyOwner], "api access private priv master subscription secret encryption encrypt decryption decrypt apiv"),
        Class(nil, [.keyNeighbor], "app apps application signing service server account storage license licence auth authentication consumer"),
        Class(nil, [.keyNeighbor], "functions admin shared client session device host root deploy deployment integration write read"),
        Class(nil, [.keyNeighbor], "activation recovery backup aes rsa des ssh gpg pgp ssl tls crypto symmetric wrapping instrumentation insert"),
        Class(nil, [.keyNeighbor], "merchant webhook wallet seed unlock unwrap unseal enc plaintext wrapped encrypted cipher fernet crypt wifi"),
        Class(nil, [.keyNeighbor], "preshared spend spending signer wif wep wlan wpa network transaction partner product stream rtmp hls drm"),
        Class(nil, [.keyNeighbor], "widevine sdk anon iot cloud sas escrow hmac jwt token pin mch cert deployer ephemeral provisioning pairing"),
        Class(nil, [.keyNeighbor], "claim registration rest internal role javascript maps management unsubscribe reset confirmation confirm verification operator ed"),
        Class(nil, [.keyNeighbor], "validator treasury funding relayer broadcast rotation sa service organization customer mac publisher developer dev live"),
        Class(nil, [.provider], "aws azure gcp stripe openai anthropic algolia mailgun sendgrid twilio github gitlab slack firebase mapbox datadog"),
        Class(nil, [.provider], "sentry opsgenie fcm apns nuget artifactory newrelic bugsnag airbrake rollbar honeybadger mandrill mailchimp"),
        Class(nil, [.provider], "sparkpost heroku cloudflare rapidapi shopify paypal dropbox google gemini huggingface telegram discord fastly"),
        Class(nil, [.provider], "mailjet postmark deepseek mistral cohere groq replicate elevenlabs pinecone supabase launchdarkly amplitude"),
        Class(nil, [.provider], "mixpanel alchemy infura etherscan bscscan polygonscan giphy unsplash pexels openweather openweathermap tomtom"),
        Class(nil, [.provider], "finnhub coingecko braintree adyen razorpay klarna mollie plaid pusher ably onesignal pubnub intercom zendesk"),
        Class(nil, [.provider], "hubspot zapier notion airtable contentful appwrite typesense meilisearch meili elastic grafana loggly splunk"),
        Class(nil, [.provider], "honeycomb digitalocean linode vultr hetzner netlify vercel railway scaleway qiniu aliyun alibaba alipay wechat"),
        Class(nil, [.provider], "weixin baidu tencent huawei youtube facebook instagram twitter linkedin recaptcha turnstile hcaptcha ngrok snyk"),
        Class(nil, [.provider], "sonar codecov travis circleci jenkins bitbucket npm pypi docker dockerhub ghcr quay gapi clickhouse mongodb redis"),
        Class(nil, [.provider], "postgres mysql snowflake databricks planetscale upstash cloudinary backblaze okta cognito keycloak clerk"),
        Class(nil, [.provider], "twitch spotify strava fitbit garmin yelp foursquare trello asana atlassian jira confluence salesforce tailscale"),
        Class(nil, [.provider], "vault consul nomad terraform pulumi ansible binance coinbase kraken bybit kucoin moralis quicknode sops gh cr"),
        Class(nil, [.provider], "devops azuredevops pagerduty segment dynatrace brevo klaviyo sendinblue tenor polygon payu messenger steam psn xbox riot tiktok kakao naver"),
        Class(nil, [.key, .alone], "pat seed salt"),
        Class(nil, [.keyRole], "sort primary foreign public cache partition idempotency object page row column unique natural composite hash range"),
        Class(nil, [.keyRole], "map dictionary lookup group index search translation message locale event routing kms websocket sorting ordering"),
        Class(nil, [.keyRole], "order string label menu hot short query storagepath path field json dedupe deduplication collapse grouping shortcut"),
        Class(nil, [.keyRole], "publishable publish site config parent child item resource asset image file folder bucket feature flag metadata"),
        Class(nil, [.keyRole], "property attribute tag option setting header param form tab enter shift escape arrow issue project board ticket"),
        Class(nil, [.linkOwner], "webhook"),
        Class(nil, [.linkOwner], "signed presigned sas tokenized magic"),
        Class(nil, [.linkOwner], "reset onetime secret private"),
        Class(nil, [.linkOwner], "totp otpauth"),
        Class(nil, [.link], "url urls uri uris link links href"),
        Class(nil, [.phraseOwner], "bip seed recovery backup secret mnemonic wallet"),
        Class(nil, [.phrase], "phrase phrases words"),
        Class(nil, [.code, .content], "code codes"),
        Class(nil, [.codeOwner], "authorization auth activation recovery backup confirmation confirm sms reset invite invitation verify user device session"),
        Class(nil, [.codeOwner], "security access pass unlock login otp mfa totp pin factor onetime email registration pairing secret exchange grant"),
        Class(nil, [.codeOwner], "validation voucher gift redemption redeem door gate entry alarm lock lockbox garage keypad locker building pickup delivery js verification authentication oauth sso"),
        Class(nil, [.codeOwner], "token oob claim authenticator ga signup personal identity mail temporary temp card cvv cvc cvn csc cid fa setup passcode"),
        Class(nil, [.holder], "device verification"),
        Class(nil, [.identifier], "id ids identifier uuid guid uid udid"),
        Class(nil, [.ticket], "ticket tickets"),
        Class(nil, [.sessionOwner], "user login auth authentication web browser app application admin member account sso saml oauth openid secure php"),
        Class(nil, [.sessionOwner], "asp net jsp java servlet http https cookie client server api device laravel django flask rails rack express koa ci"),
        Class(nil, [.sessionOwner], "codeigniter symfony yii cake cakephp phoenix tomcat jetty aiohttp starlette fastapi tornado bottle pyramid hapi"),
        Class(nil, [.sessionOwner], "fastify nest next nuxt sveltekit remix lucia iron wordpress wp drupal joomla magento shopify fastlane sails play core"),
        Class(nil, [.sessionOwner], "current new old my temp parse key x amz github gitlab remember persistent customer portal ios android bank bankid"),
        Class(nil, [.signOwner], "pay api app x req request md rsa sha hmac data param params body callback notify ali alipay wx wechat weixin tencent"),
        Class(nil, [.signOwner], "user client server access kc ok cb bapi h s mtop token url web order trade merchant mch partner biz encrypted check"),
        Class(nil, [.signOwner], "auth login secret security signed new old gateway channel sdk kuaishou douyin taobao jd bili bilibili"),
        Class(nil, [.ticketOwner], "login service kerberos auth session sso cas proxy granting"),
    ]

    /// Two words that are secret only together, in this order.
    static let pairs: [(rule: SecretRule, words: StaticString)] = [
        (.key, "key private jwk private jwks private ed seed key pair connection string otp seed totp seed master seed root seed secret seed seed hex honeycomb team ovh consumer ovh application q ak wallet seed hd seed key material key pem pem key"),
        (.key, "key api content key zumo master k8 config registry config auth config account json art api private pem"),
        (.credentials, "client cert client certificate client principal magic link login link hcaptcha response recaptcha response captcha response fb dtsg"),
        (.number, "bank account credit card debit card social security social sec soc sec identity document tax reference bank verification routing transit alien reg id num identity card sort code card pan id number id card id no tax file"),
        (.number, "cc number cc num dl number rg number drivers license driver license driving license drivers licence driver licence driving licence"),
        (.number, "card verification rodne cislo codice fiscale seguridad social track data magnetic stripe securite sociale"),
        (.number, "cod fiscale asmens kodas personas kods pis pasep titulo eleitor track two health insurance mrz line birth number kojin bango travel document cert no"),
        (.securityCode, "card security cc cid"),
        (.session, "wordpress logged wordpress sec"),
        (.oneTimeCode, "two factor cf turnstile security answer security stamp login secure api hash access hash"),
        (.forgeryToken, "bili jct jenkins crumb verif hash payment nonce method nonce card nonce"),
        (.password, "clave acceso clave secreta kata sandi kata laluan mat khau mot passe"),
    ]
}
