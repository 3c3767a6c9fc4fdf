@testable import TarmacMasking
import Testing

@Suite("Names of secrets, by their words")
struct NameTests {
    static let secret = """
        card_num accountNum cvv_num validation_code vcode mpin sess login_ticket service_ticket Jenkins-Crumb enc_key wifiKey idNumber cc_number
        password Password PASSWORD userPassword userPassword2 new_password user[new_password] user.password old-password passwd pwd passphrase
        passcode pass db_pass passwort kennwort contraseña contrasena senha mdp wachtwoord 密码 用户密码 口令 令牌 密钥 验证码 签名 mysql_pwd
        passw0rd password_hash passwordHash password_confirmation mysqlpassword1x ｐａｓｓｗｏｒｄ pass\u{200B}word to\u{212A}en pw
        pin PIN user_pin pin2 pincode pinCode secret secrets client_secret clientSecret clientsecret secretKey SECRET_KEY_BASE webhook_secret appsecret
        token tokens access_token accessToken accesstoken auth_token authToken authtoken refreshToken id_token id_token_hint csrf_token stripetoken
        page_access_token next_csrf_token github_token JWTToken jwt jws otp otp_code totp mfa 2fa 2fa_code mfaCode credential credentials creds
        signature Signature sig x-sign sign paySign hmac csrf xsrf _csrf XSRF-TOKEN authenticity_token assertion client_assertion SAMLResponse saml
        Authorization authorization Proxy-Authorization auth OAuth2 X-Api-Auth oauth_verifier code_verifier Cookie Set-Cookie session user_session
        session_id sessionId SESSIONID session_key sessionid sid connect.sid sessid PHPSESSID JSESSIONID DPoP cvc cvv cvc2 csc card[cvc] pan iban
        IBAN ssn private_key privateKey privatekey api_key apiKey APIKey apikey X-API-Key X-NuGet-ApiKey access_key accessKeyId AWSAccessKeyId
        OSSAccessKeyId master_key subscription-key Ocp-Apim-Subscription-Key X-Functions-Key app_key application_key DD-API-KEY encryption_key
        signing_key service_key account_key storageKey license_key auth_key X-Auth-Key consumer_key oauth_consumer_key shared_key api_keys
        verification_id verification_code device_id deviceId device_code user_code authorization_code auth_code activation_code recovery_code
        backup_codes confirmationCode sms_code reset_code security_code two_factor_code one_time_code otpCode js_code door_code card_number
        cardNumber cardnumber card[number] account_number accountNo routing_number bank_account bank_account_number credit_card passport_number
        national_id tax_id licence_number social_security_number X-Amz-Security-Token X-Amz-Signature X-Amz-Credential X-Goog-Signature
        X-Goog-Credential X-Goog-Api-Key PRIVATE-TOKEN JOB-TOKEN X-Vault-Token X-Shopify-Access-Token X-Shopify-Hmac-Sha256 X-Hub-Signature-256
        Stripe-Signature X-Session-Id X-Api-Secret X-Figma-Token X-Parse-Session-Token X-Plex-Token X-Amz-Cf-Signature Key-Pair-Id
        x-ms-copy-source-authorization cf-access-client-secret X-Forwarded-Client-Cert q-signature q-ak x-oss-security-token X-Auth-Token
        X-CSRF-Token X-Access-Token secret_access_key aws_secret_access_key openid.sig X-Line-Signature X-GitHub-OTP X-MBX-APIKEY CB-ACCESS-SIGN
        CB-ACCESS-KEY CB-ACCESS-PASSPHRASE X-Registry-Auth X-Consul-Token X-Amzn-Oidc-Accesstoken CF-Access-Jwt-Assertion X-Telegram-Bot-Api-Secret-Token
        __RequestVerificationToken laravel_session aiohttp_session remember_token magic_link connection_string hdnts aPIKey bearer sessionToken
        subject_token client-key registrationAccessToken x-ms-client-principal X-Honeycomb-Team X-License-Key xApiKey new_password_confirmation
        userpassword newpassword accesskey secretkey emailVerificationCode deviceToken push_token fcmToken wpnonce SharedAccessSignature AccountKey
        X-Metabase-Session ConnectionStrings conn_str rootpw pwhash
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    static let harmless = """
        num_tokens max_num_tokens eos_token pad_token secret_arn passwordless hall_pass render_pass assertions_passed password_manager
        secretary secretariat tokenizer tokenize tokenization keyboard monkey donkey passenger passengers passage compass bypass passport_photo author authors
        authority authored signal design designer assign assignment pinned pins spinning opinion cardinal cardboard discard session_count
        sessions keynote keyword keywords hotkey turkey sidebar residual sidewalk president consider sort_key primary_key foreign_key public_key
        publicKey cache_key partition_key idempotency_key Idempotency-Key object_key next_page_token page_token pageToken nextToken nextPageToken
        continuation_token sync_token delta_token max_tokens total_tokens prompt_tokens completion_tokens maxTokens token_type tokenType tokentype
        token_count token_url tokenEndpoint token_endpoint expires_in token_expires_at password_length password_policy password_changed_at
        has_password hasPassword signed_at sign_in_count sign_up sign_out signature_version signature_method SignatureMethod X-Amz-Algorithm
        X-Amz-SignedHeaders X-Amz-Date X-Amz-Expires X-RateLimit-Remaining-Tokens auth_type auth_method oauth_version oauth_timestamp oauth_callback
        oauth_nonce status_code statusCode statuscode country_code error_code zip_code currency_code postal_code language_code area_code promo_code key
        state nonce client_id redirect_uri ETag If-Match User-Agent Accept Accept-Language Content-Type Content-Length user_id userId id name
        page limit offset cursor email username first_name phone_number order_number card_type card_brand account_id accountType bank_name
        code_challenge code_challenge_method grant_type response_type scope session_duration session_title training_session_title password_updated_at
        passing passed passion passive boarding_pass season_pass pass_rate pass_count bus_pass test_pass zodiac_sign author_id authorName
        authorization_endpoint authorization_status access_log access_level api_version apiVersion api private is_private device_name deviceType
        user_agent verification_status verification_uri keycode keyCode keyId kid keyframes barcode zipcode countrycode hash_key message_key
        routing_key kms_key_id x-amz-server-side-encryption-aws-kms-key-id Sec-WebSocket-Key Access-Control-Allow-Credentials token_symbol
        cookie_consent cookie_policy cookies_enabled max_password_attempts login_attempts_pin_remaining card_count pin_attempts pan_balance
        sessionStorage Date Server Via Age Vary Link Location Retry-After X-Request-Id X-Correlation-Id traceparent Signature-Input
        Accept-Encoding q lat lon width height created_at updatedAt description title content message text 名称 用户 ключи numbers keypath
        subtotal passthrough panorama company japan spanish companion casino opinions sidney residence cvs island inside outside aside
        autocomplete autonomous automatic authorship scaffold mechanism code_name codec tokenized_at designation resign significance insignia
        keyspace keystroke monkeys whiskey jockey skin shipping mapping topping pinterest spin pinyin pint secretion codepoint geocode unicode
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test(arguments: secret) func isSecret(_ name: String) { #expect(SecretNames.standard.rule(for: name) != nil) }
    @Test(arguments: harmless) func isHarmless(_ name: String) { #expect(SecretNames.standard.rule(for: name) == nil) }
}
