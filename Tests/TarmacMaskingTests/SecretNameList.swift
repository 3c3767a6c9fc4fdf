enum SecretNameList {
    /// Names under which services send secrets.
    static let names = #"""
        .AspNetCore.Antiforgery .AspNetCore.Cookies .AspNetCore.Session .ASPXAUTH __RequestVerificationToken __Secure-1PSID __Secure-3PSID
        __VIEWSTATE_token _authToken _csrf _csrf_token _m_h5_tk_token _myapp_session _password _phoenix_key_session _token _wpnonce aadhaar
        aadhaar_no aadhaar_number aadhaarNumber aadhar aadhar_card_no aba_no aba_number aba_routing_no aba_routing_number ABLY_API_KEY abn_tfn
        access_code access_code_key access_jwt access_key access_password access_pin access_secret ACCESS_TOKEN access_token access_token_plaid
        access_token_secret access_tokens accessCode accessJwt AccessKey accessKey accesskey AccessKeyId AccessKeySecret accessKeySecret
        accessPassword accessSecret AccessToken accessToken accessTokenHash accessTokenSecret account_activation_key account_credentials
        account_iban account_no account_num account_number account_pan account_password account_pwd account_recovery_code account_recovery_key
        account_routing_number account_sid_auth_token accountIban AccountKey AccountNo accountNumber accountnumber accountPassword acct_no
        acct_num acct_number acct_password acctNo acctNum acctnum acctNumber ach_account_number ach_routing_number ach_token act_as_token
        ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN activate_token activation_code activation_key activation_token activationCode
        activationKey activationToken actor_token adgangskode admin_access_token admin_password admin_pwd adminPass adminPassword adyen_api_key
        adyen_hmac_key aeg-sas-key aeg-sas-token aes_256_key aes_key aes_secret aesKey aesSecretKey afm_number age_identity_secret
        age_secret_key AGORA_APP_CERTIFICATE_SECRET AGORA_TOKEN ahv_number ahv_nummer AIRTABLE_API_KEY AIRTABLE_PAT alarm_code ALCHEMY_API_KEY
        alchemy_key ALGOLIA_ADMIN_KEY algolia_admin_key ALGOLIA_WRITE_KEY ali_access_key_secret ALIBABA_CLOUD_ACCESS_KEY_SECRET alien_number
        alien_reg_no alien_registration_number alipay_app_private_key alipay_private_key alipay_public_cert_password alipay_sign
        aliyun_access_key_secret alphavantage_apikey amazon_mws_auth_token amka amplitude_secret_key ANDROID_KEY_PASSWORD
        ANDROID_KEYSTORE_PASSWORD anon_key ANSIBLE_BECOME_PASS ANSIBLE_SSH_PASS ANSIBLE_VAULT_PASSWORD answer_hash_secret ANTHROPIC_API_KEY
        anti_content_token anti_csrf_token antiForgeryToken anydesk_pwd ap1key Api-Key api-key API-Sign api_access_token api_auth_token api_k3y
        API_KEY api_key api_key_sid_secret api_keys api_password api_secret api_sig api_token api_token_salt api_user_key APIKEY apiKey apikey
        apiKeys apiPassword apiSecret APISID apiSig apiToken apiv3_key apns_auth_key apns_token apnsKeyPassphrase apnsToken app_check_token
        app_config_connection_string APP_KEY app_key app_passcode app_pin app_private_key APP_SECRET app_secret app_specific_shared_secret
        APP_STORE_CONNECT_API_KEY app_token APPCENTER_ACCESS_TOKEN APPINSIGHTS_INSTRUMENTATIONKEY appKey apple_authorization_code
        apple_developer_token APPLE_ID_PASSWORD apple_identity_token apple_music_user_token apple_pay_payment_token apple_pay_token
        applePayToken application_key application_token applicationKey approval_token approve_token appSecret appsecret_proof
        appstore_shared_secret archive_password argocd_admin_password ARM_ACCESS_KEY ARM_CLIENT_SECRET artifactory_password ASANA_TOKEN
        asc_private_key asmens_kodas ASP.NET_SessionId ASPSESSIONID ASPXAUTH assertion ATLASSIAN_TOKEN atm_pin atmPin attest_token
        attestation_token auth AUTH0_CLIENT_SECRET auth_code auth_cookie auth_data auth_hash auth_header auth_jwt auth_key auth_otp auth_pin
        AUTH_SECRET auth_secret auth_session auth_string auth_ticket auth_token authCode authData authentication_cavv authentication_key
        authenticator_code authenticator_secret authenticatorCode authenticatorData_token authenticity_token authHeader authKey AUTHORIZATION
        Authorization authorization authorization_code authorization_key authorize_net_transaction_key authSession authSignature authTicket
        AuthToken authToken AuthTokenSecondary avs_number AWS_ACCESS_KEY_ID aws_credentials AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
        aws_session_token AWSSecretKey azure_ad_client_secret AZURE_CLIENT_SECRET azure_devops_pat azure_openai_key azure_sas_token
        AZURE_STORAGE_CONNECTION_STRING AZURE_STORAGE_KEY azure_tenant_client_secret AzureWebJobsStorageConnectionString B2_APPLICATION_KEY
        BACKBLAZE_APPLICATION_KEY backup_code backup_codes backup_encryption_key backup_key backup_password backup_phrase backupCodes
        backupPassphrase backupPhrase bank_acc_no bank_account bank_account_no bank_account_num bank_account_number bank_acct_number
        bank_card_no bank_iban bank_iban_number bank_sort_code bank_token bank_verification_number bankAccNumber bankAccount bankAccountNo
        bankAccountNumber bankaccountnumber bankAcctNo bankcard_number bankCardNo basic_auth basic_auth_password basicAuth basicAuthPassword
        bcrypt_password BDUSS bduss Bearer bearer bearer_token bearerAuth BearerToken bearerTokenValue become_password bekraftalosenord
        beneficiary_account_number beneficiary_iban beneficiaryAccountNumber BETTER_AUTH_SECRET bfx-apikey bfx-signature bgp_password bili_jct
        billing_token bind_password bindPassword bios_password bip39_mnemonic bip39_phrase BITBUCKET_APP_PASSWORD bitlocker_recovery_key
        BITRISE_TOKEN blob_sas_url body_hmac bodySignature bot_token botToken box_developer_token braintree_merchant_private_key
        braintree_private_key BREVO_API_KEY broadcast_key brokerage_account_number bsb bsb_no bsb_number bscscan_api_key bsn bsn_number
        bsnNumber bt_signature btc_wif Bugsnag-Api-Key BUGSNAG_API_KEY building_code_pin BUILDKITE_AGENT_TOKEN bundler_key_secret BUNNY_API_KEY
        burgerservicenummer business_tax_id bvn bvn_number bvn_token calendar_token calendly_token callback_signature callbackSign callbackToken
        caPrivateKey captcha_code captcha_token captchaToken card-number card[cvc] card[number] card_auth_code card_code card_cvc card_cvv
        card_cvv2 card_no card_no_full card_nonce card_nr card_num CARD_NUMBER card_number card_on_file_token card_pan card_pan_encrypted
        card_pin card_pin_block card_security_code card_security_value card_securitycode card_token card_verification_value cardAccountNumber
        cardCode cardCvc cardCvv cardCvv2 cardNo cardNoEnc cardNr cardnum CardNumber cardNumber cardnumber cardPan cardPin cardToken
        cardVerificationCode cardVerificationValue CARGO_REGISTRY_TOKEN CASSANDRA_PASSWORD CASTGC castgc cavv CB-ACCESS-KEY CB-ACCESS-PASSPHRASE
        CB-ACCESS-SIGN cbu cc_ccv cc_cid cc_csc cc_cvc cc_cvc2 cc_cvv cc_cvv2 cc_no cc_num cc_number cc_pan cc_security_code cccd_number ccno
        ccNum ccnum ccNumber ccSecurityCode ccv cedula cedula_number CERT_PASSWORD certificate_password certNo CF-Access-Client-Secret
        CF-Access-Jwt-Assertion cf-turnstile-response CF_API_TOKEN CF_Authorization CFID_token CFTOKEN challenge_token challengeToken
        change_password_token channel_access_token channel_secret checking_account_number checkout_secret_key CI_DEPLOY_PASSWORD CI_JOB_TOKEN
        CI_REGISTRY_PASSWORD ci_session cid_code cif_nif cipher_key cipherKey Circle-Token CIRCLE_TOKEN CIRCLECI_TOKEN citizen_id
        citizen_id_number citizenship_number civil_id clabe claim_code claim_token clave clave_acceso clave_de_acceso claveSecreta
        CLERK_SECRET_KEY CLICKHOUSE_PASSWORD CLICKUP_TOKEN client_assertion client_certificate client_credentials client_jwt client_key
        client_private_key client_secret client_secret_key client_token clientCertificate clientDataJSON_signature clientKey clientPrivateKey
        ClientSecret clientSecret clientToken cloud_credentials cloud_key CLOUDFLARE_API_KEY CloudFront-Key-Pair-Id CloudFront-Signature
        CLOUDINARY_API_SECRET cmnd cnh_number cnic cnic_number cnp cnp_number cnpj cnpj_number COCOAPODS_TRUNK_TOKEN code code_verifier
        CODEBERG_TOKEN CODECOV_TOKEN CODEMAGIC_TOKEN codesign_password codeVerifier codFiscale codice_fiscale codiceFiscale
        COGNITO_CLIENT_SECRET COHERE_API_KEY coinbase_api_secret coinbase_webhook_secret collection_pin company_tax_id concurrency_secret
        conference_pin confirm_password confirm_pin confirm_token confirmation_key confirmation_token ConfirmationCode confirmationToken
        confirmPassword confirmPwd confirmToken CONFLUENCE_PASSWORD connect.sid CONNECTION_STRING connection_string ConnectionString
        connectionString CONSUL_HTTP_TOKEN consumer_secret consumerSecret content_key content_signature CONTENTFUL_ACCESS_TOKEN
        CONTENTFUL_MANAGEMENT_TOKEN contentful_token contrasena contrasenia contraseña contraseña_actual CONVEX_DEPLOY_KEY Cookie cookie
        cookie_encryption_key cookie_header cookie_secret cookie_signing_key cookies cookieValue cos_secret_key cosmos_primary_key_secret
        COUCHBASE_PASS COUCHDB_PASSWORD COVERALLS_REPO_TOKEN cpanel_password cpassword cpf cpf_cliente cpf_cnpj cpf_number cpfCnpj cpr_nr
        cpr_number cprNumber CR_PAT credential credential_secret credentials credentialsJson credit_card credit_card_cvv credit_card_no
        credit_card_num credit_card_number credit_card_security_code creditCard creditcard creditcard_cvc creditCardCvv creditCardNo
        creditCardNum creditCardNumber creditcardnumber creditor_iban creditorIban creds cron_secret crumb_csrf crypto_com_secret crypto_key
        crypto_private_key cryptogram csc csrf-param-token csrf_key csrf_secret csrf_token csrfmiddlewaretoken csrftoken ct0_csrf cuil_number
        cuit curp curp_number current_password current_pin currentPassword currentPin customer_token CUSTOMERIO_API_KEY cvc cvc2 cvc_code
        cvcCode cvcEncrypted cvcNumber cvn cvn2 CVV cvv cvv2 cvv_code cvv_enc cvv_number cvvCode cvvNumber cybersource_shared_secret
        DAILY_API_KEY data_encryption_key DATABASE_PASS DATABASE_PASSWORD database_password datadog_app_key dataEncryptionKey
        datasource.password DATOCMS_API_TOKEN db.password db_connection_string DB_PASS db_passwd DB_PASSWORD DBPassword dbPassword DD-API-KEY
        DD-APPLICATION-KEY DD_API_KEY DD_APP_KEY debit_account_number debit_card_no debit_card_number debit_pin debitcard debitCardPin
        debtor_iban debtorAccount_iban decryption_key decryptionKey deepseek_key default_password defaultPwd dek_plaintext delegated_token
        delegation_token delete_token deletion_token delivery_pin DEPLOY-TOKEN DEPLOY_KEY deploy_key deployer_private_key des_key device_code
        device_id device_key device_password device_pin device_secret device_token deviceId deviceSecret deviceSecretKey deviceToken
        dexcom_client_secret dfReferenceToken dial_in_pin digest_auth_response digital_signature DIGITALOCEAN_ACCESS_TOKEN discord_client_secret
        DISCORD_TOKEN discord_token discord_user_token discord_webhook_url DJANGO_SECRET_KEY django_session dl_no dl_number dlNumber dni
        dni_number dni_numero dniNumber DO_TOKEN DOCKER_AUTH_CONFIG DOCKER_PASSWORD DOCKERHUB_TOKEN document_number_passport document_password
        docusign_private_key door_code download_token dpan dpi_number DPoP DPoP-Proof driver_licence_no driver_licence_number driver_license
        driver_license_number driverLicense driverLicenseNo driverLicenseNumber drivers_licence_no drivers_license driversLicenceNumber
        driversLicenseNumber driving_licence_number driving_license driving_license_number drivingLicence drivingLicenceNumber drm_token
        DRONE_TOKEN dropbox_sign_api_key dui_number ecdsa_key_private ecdsa_private_key eci_cavv ed25519_private_key ed25519_seed edit_token egn
        egn_number ein ein_no ein_number einNumber ELASTIC_APM_SECRET_TOKEN ELASTIC_PASSWORD ELASTICSEARCH_PASSWORD elevation_token
        ELEVENLABS_API_KEY email_change_token email_code email_confirm_key email_confirmation_token email_otp email_token
        email_verification_token emailCode emailConfirmToken emailOtp emailVerificationToken embed_secret emirates_id emiratesId employee_ssn
        employeePin employer_identification_number emso encPassword encpwd encrypt_key encrypted_card_number encrypted_key encrypted_password
        encrypted_pin encrypted_pin_block encrypted_token encryptedCardNumber encryptedExpiry_cvv encryptedKey encryptedPassword
        encryptedPhoneToken encryptedPin encryptedSecurityCode ENCRYPTION_KEY encryption_key encryption_passphrase encryption_password
        encryptionKey entropy_mnemonic entry_code ephemeral_key ephemeral_token ephemeralKeySecret epic_refresh_token escrow_key
        esim_activation_code esxi_root_password etcd_password eth_private_key ethereum_private_key ETHERSCAN_API_KEY etherscan_key
        eventhub_connection_string exchange_token expiry_cvv EXPO_TOKEN expoPushToken express.sid extended_private_key facebook_access_token
        FASTLANE_PASSWORD FASTLANE_SESSION Fastly-Key FASTLY_API_TOKEN fb_app_secret fb_dtsg fb_exchange_token FCM_SERVER_KEY fcm_token
        fcmLegacyServerKey fcmServerKey federal_tax_id federated_token federation_token feed_token fein fein_number field_encryption_key
        file_password filevault_recovery_key fin_no fin_number FIREBASE_CI_TOKEN FIREBASE_TOKEN firebase_token fitbit_access_token flask_session
        flutterwave_secret_hash flw_secret_hash FLY_API_TOKEN fodselsnr fodselsnummer foreign_tax_id foreign_tin foreigner_id_number
        FORGEJO_TOKEN forgot_password_token form_build_token form_key_csrf form_token fpan framer_secret FRESHDESK_API_KEY from_account_number
        fromAccountNo ftp_password ftpPass full_pan fund_password funding_private_key FUSIONAUTH_API_KEY fødselsnummer g-recaptcha-response
        ga_code ga_secret gapi_key garage_code garmin_consumer_secret gate_code gateway_password GCP_SA_KEY gcp_service_account_key
        gcs_private_key GEM_HOST_API_KEY gemini_api_key GEMINI_KEY geslo GF_SECURITY_ADMIN_PASSWORD GH_PAT GH_TOKEN GHCR_PAT ghost_admin_key
        gift_card_code gift_card_number gift_card_pin giftCardCode GITEA_TOKEN GITHUB_TOKEN gitlab_root_password GITLAB_TOKEN gjenta_passord
        gocardless_access_token google_access_token GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS google_authenticator_secret
        google_client_secret google_id_token google_maps_api_key google_oauth_token google_pay_token google_refresh_token
        google_service_account_key googlePayToken gov_id_number government_id government_id_number governmentId govt_id gpg_key_passphrase
        GPG_PASSPHRASE GPG_PRIVATE_KEY GRAFANA_ADMIN_PASSWORD grafana_password GRAFANA_TOKEN green_card_number groq_api_key gst_number_secret
        guest_access_code guest_pass_token guest_password guest_token guest_wifi_password h-captcha-response handoff_token harbor_admin_password
        hash_salt_secret hash_secret hash_sig hashed_password hashed_token hashedPassword hashedPwd hashedRefreshToken haslo hasloUzytkownika
        hasura_admin_secret hasło hcaptcha_secret HCLOUD_TOKEN hd_private_key hd_seed health_card_no health_card_number health_insurance_no
        health_insurance_number health_plan_beneficiary_number healthcare_number henkilotunnus here_api_key HEROKU_API_KEY heslo hetu
        hetzner_api_token HF_TOKEN hibernate.connection.password hkid hls_key hmac hmac_key hmac_secret hmac_sha256 hmac_signature hmacKey
        hmacSecret hmacSha256 HmacSignature HOMEBREW_GITHUB_API_TOKEN HONEYBADGER_API_KEY HONEYCOMB_WRITEKEY host_key host_pin hostKey
        hotp_secret hotspot_password HSID http_authorization http_password httpBasicPassword huawei_secret_key hub_connection_string
        HUBSPOT_ACCESS_TOKEN HUGGINGFACE_TOKEN hw_secret_key iam_apikey IBAN iban iban_code iban_number ibanCode ibanNumber ibm_api_key
        ics_token id_card id_card_no id_card_number id_num id_number id_token id_token_hint idcard idcard_no idCardNo idcardNo
        identification_number identificationNumber identity_card identity_document_number identity_no identity_number identity_token
        identityCard identityCardNumber identityNo identityNumber identityToken idNum idNumber idp_access_token idp_token idrac_password idToken
        iex_token ig_access_token ike_psk IMAGEKIT_PRIVATE_KEY imap_password imapPass impersonation_token impersonationToken
        incoming_webhook_url individual_tax_id INFLUX_TOKEN INFLUXDB_ADMIN_TOKEN INFURA_API_KEY infura_key INFURA_PROJECT_SECRET
        initial_access_token initial_password initialPin input_token_secret inputPassword insee_number instagram_access_token
        instrumentation_key InstrumentationKey insurance_number insurance_policy_number_secret insuranceNumber insz integrity_token
        intercom_access_token INTERCOM_SECRET internal_secret invitation_code invitation_token invitationCode invite_code invite_link_token
        invite_token invite_token_hash inviteCode iot_key ipmi_password ipsec_psk iqama_id iqama_number ird_number isikukood ITC_PASSWORD itin
        itin_number j_password javax.persistence.jdbc.password jazoest_token jdbc_password jelszo jelszó Jenkins-Crumb jenkins_password
        JIRA_API_TOKEN jks_password jmbg JOB-TOKEN join_secret join_token js_code JSESSIONID jumin_number jwe_secret jwk_private jwks_private
        jws_token jwt jwt_access_token jwt_key jwt_refresh_token JWT_SECRET jwt_secret JWT_SIGNING_KEY jwt_token jwtSecret jwtSignature jwtToken
        k3y_api K8S_TOKEN KAFKA_SASL_PASSWORD kakao_access_token kakao_rest_api_key kata_laluan kata_sandi kata_sandi_baru katasandi
        KC-API-PASSPHRASE KC-API-SIGN kennitala kennwort kerberos_password kerberos_token key_encryption_key key_material KEY_PASSWORD key_pem
        KEYCLOAK_ADMIN_PASSWORD keyMaterial keypad_code keyPassword keyPem keystore.password keystore_b64_secret KEYSTORE_BASE64_SECRET
        keystore_json_password keystore_passphrase KEYSTORE_PASSWORD keystore_password keystorePass keyStorePassword keystorePassword
        KIBANA_PASSWORD kimlik_no klarna_client_token KLAVIYO_API_KEY KLAVIYO_PRIVATE_KEY kms_plaintext_key koa.sess kodeord kojin_bango
        Kong-Admin-Token kontonummer kra_pin_number ktp ktp_number kube_admin_password KUBE_TOKEN kubeconfig_token kw_token kyc_token
        lambda_api_key laravel_session last4_ssn last_4_ssn lastPassword launchdarkly_sdk_key LDAP_BIND_PW ldap_password ledger_pin licence_no
        licence_number licenceNumber license_key license_number license_token licenseKey licenseNo Lightstep-Access-Token
        line_channel_access_token line_channel_secret Linear-Signature LINEAR_API_KEY link_password link_token linkedin_client_secret
        LINODE_TOKEN LIVEKIT_API_SECRET loan_account_number lock_pin locker_code lockerCode lockPin LOGGLY_TOKEN login_code login_credentials
        login_jwt login_otp login_pass login_password login_pin login_session login_token login_url_token loginCode loginCreds loginpass
        loginPassword loginPin loginPwd loginToken logout_token long_lived_token LOOPS_API_KEY losenord lozinka lsd_token luks_passphrase
        lwa_client_secret lösenord magento_admin_token magic_link_token magic_link_url MAGIC_SECRET_KEY magic_token magicLink magicLinkUrl
        magnetic_stripe_data magstripe mail_code MAIL_PASSWORD mail_password mail_token mailchimp_api_key MAILGUN_API_KEY mailgun_signing_key
        mandate_token MANDRILL_API_KEY mandrill_key mapbox_access_token mapkit_token MARIADB_PASSWORD masked_pan_token maskedAccountNumber
        master_encryption_key MASTER_KEY master_key master_password master_private_key master_seed masterSeed MasterUserPassword mat_khau
        mat_khau_moi MATCH_PASSWORD MAVEN_PASSWORD mch_api_key mch_key md5_password md5_sign md5pwd medicaid_id medicaid_number
        medical_record_number medicare_id medicare_no medicare_number medicareNumber meeting_passcode meeting_password meetingPassword
        meili_master_key member_ssn merchant_password merchant_private_key merchant_secret merchantPassword merchantSig messagebird_signature
        metamask_password mfa_assertion mfa_challenge_token mfa_code mfa_secret mfa_token mfaPendingCredential mfaToken military_id_number
        mining_pool_password MINIO_ACCESS_KEY MINIO_ROOT_PASSWORD MINIO_SECRET_KEY mistral_api_key mixpanel_secret MNEMONIC mnemonic
        mnemonic_code mnemonic_phrase mnemonic_words mnemonicPhrase mnemonicSeed mnemonicWords mobile_otp mollie_api_key mollie_api_token
        MONDAY_TOKEN MONGO_INITDB_ROOT_PASSWORD mongodb_password moralis_api_key mot_de_passe mot_passe_confirmation motDePasse motdepasse mpin
        mqtt_pass MQTT_PASSWORD mrn mrz mrz_line1 msToken mtop_sign Music-User-Token music_user_token mux-signature MUX_TOKEN_SECRET my_number
        mykad mykad_no mynumber mypass mypassword MYSQL_PASSWORD MYSQL_PWD MYSQL_ROOT_PASSWORD national_id national_id_no national_id_number
        national_identification_number national_insurance_no national_insurance_number nationalId nationalIdentificationNumber
        nationalIdentityNumber nationalIdNumber nationalInsuranceNumber nationalInsuranceNumberUk NATS_PASSWORD naver_client_secret
        negotiate_token NEO4J_AUTH NEO4J_PASSWORD NEON_API_KEY NETLIFY_AUTH_TOKEN network_key network_password network_token
        network_token_cryptogram networkKey networkToken neues_passwort neuesPasswort new_password new_password1 new_password2 new_pin
        NEW_RELIC_LICENSE_KEY newPass newPassword newPin newPwd NEWRELIC_KEY newsapi_key nexmo_secret NEXTAUTH_SECRET nexus_password
        nfs_keytab_secret NGROK_AUTHTOKEN nhs_id nhs_no nhs_number nhsNo nhsNumber ni_number nic_number NID_auth nid_number nie nie_number
        nieuw_wachtwoord nif nif_cliente nif_contribuinte nif_number nik_ktp nin nin_number nino niNumber nip_pesel nir_number nis_number niss
        NODE_AUTH_TOKEN nomor_ktp nonce_secret NOTARIZE_PASSWORD notify_sign NOTION_SECRET NOTION_TOKEN nova_senha novaSenha nowe_haslo
        NPM_AUTH_TOKEN npm_password NPM_TOKEN npsso_token nric nric_no nric_number ntlm_auth ntlm_hash_password NUGET_API_KEY number_cvc
        numero_cpf numero_cuenta numero_de_compte numero_dni numero_identificacao_fiscal numero_national numero_secu_sociale
        numero_securite_sociale numeroSecu nytt_losenord nytt_passord oauth2_access_token oauth_access_token oauth_client_secret
        oauth_consumer_key oauth_consumer_secret oauth_signature oauth_token oauth_token_secret oauth_verifier Ocp-Apim-Subscription-Key
        offline_token offlineToken oib OK-ACCESS-PASSPHRASE OK-ACCESS-SIGN OKTA_API_TOKEN OKTA_CLIENT_SECRET old_access_token old_password
        old_pin oldPass oldPassword oldPwd one_tap_token one_time_link one_time_passcode one_time_password one_time_pin one_time_token
        onedrive_refresh_token onesignal_api_key ONESIGNAL_REST_API_KEY onetap_credential onetime_code oneTimePasscode onetimepassword
        onlinePaymentCryptogram oob_code oobCode OPENAI_API_KEY OPENAI_KEY openai_key openid.sig openid_token operator_key operator_private_key
        OPSGENIE_API_KEY opt_out_token oracle_pwd oracle_wallet_password order_sign ORG_GRADLE_PROJECT_signingKey oss_access_key_secret
        OSSAccessKeyId OSSRH_PASSWORD otp otp_pin otp_secret otp_seed otp_token otpauth_uri otpauth_url otpSecret otpSeed
        oura_personal_access_token OVH_APPLICATION_SECRET P00001_token p12_passphrase P12_PASSWORD p4ssw0rd p@ssw0rd p@ssword pa$$word pa55w0rd
        pa55word page_access_token pageAccessToken PAGERDUTY_TOKEN pairing_code pairingCode PAN pan pan_card_number pan_encrypted
        pan_last4_token pan_number pancard panNumber panToken PAPERTRAIL_API_TOKEN parcel_code_pin parental_pin parola parola_noua parool
        partial_token partita_iva_cf_codice_fiscale partner_key pass Pass-Phrase pass1 pass2 pass_md5 pass_phrase pass_word passCode passcode
        passkey passord passphrase passport passport_code passport_id passport_mrz passport_no passport_num passport_number passportId
        passportNo passportNum passportNumber passportNumberEncrypted passw0rd passwd password password1 password2 password_1 password_again
        password_bcrypt password_confirm password_confirmation password_digest password_enc password_grant_password password_hash password_md5
        password_pepper password_re password_repeat password_reset_code password_reset_key password_reset_link password_salt password_title
        password_token password_usuario passwordConfirmation passwordHash passwordMd5 passwordResetCode passwordResetToken passwordSalt
        passwordSha256 Passwort passwort passwort_wiederholen paste_password patient_portal_password patient_ssn pay_password
        payee_account_number payer_account_no payload_signature paymaster_secret payment_card_number payment_intent_client_secret
        payment_method_nonce payment_method_token payment_pin payment_token paymentCardNumber paymentMethodNonce paymentMethodToken paymentToken
        payout_iban PayPal-Auth-Assertion PayPal-Client-Metadata-Token PAYPAL-TRANSMISSION-SIG paypal_client_secret paypal_secret payPassword
        payPwd paySign paystack_secret_key payu_merchant_key payu_salt pbkdf2_password pdf_password pem_key pem_passphrase pepper_secret
        persistent_token persistentToken personal_code personal_id_number personal_number personalIdentityCode personalIdNumber personalTaxId
        personas_kods personnr personnumber personNummer personnummer PESEL pesel pesel_number pfx_password pgp_passphrase PGPASSWORD phone_otp
        phone_verification_code phoneVerificationCode PHPSESSID pickup_code pickupCode pin pin_block pin_code pin_confirm pin_data pin_hash
        pin_number pinBlock pinblock pinCode pinConfirmation pinecone_api_key pinterest_access_token pis_pasep pkcs12_password PLAID-SECRET
        Plaid-Verification-Token plaid_public_token plaid_secret plain_password plainPassword plaintext_key plainTextPassword
        PLANETSCALE_PASSWORD play_integrity_token PLAY_SESSION playback_token player_token plesk_password plivo_auth_token pma_password
        polygon_api_key polygonscan_key POSTGRES_PASSWORD postmark_token pps_number ppsn ppsNumber pre_auth_token pre_shared_key pre_signed_url
        preAuthToken preSharedKey presigned_url presignedUrl preview_token previous_password primary_account_number primaryConnectionString
        primaryKey_secret PRISMIC_ACCESS_TOKEN priv_key PRIVATE-TOKEN private_api_key PRIVATE_KEY private_key private_key_b64
        private_key_passphrase private_key_pem private_key_wif private_pem private_token private_url privateKey privateKeyBase64 privateKeyHex
        privateKeyPem privateKeyWif privKey privkey PRIVY_APP_SECRET privy_secret processor_token product_key prometheus_basic_auth_password
        promo_secret proof_token Proxy-Authorization proxy_password proxyPass proxyUserPassword psk psn_npsso pswd_confirm public_token
        publish_key_secret publish_token puk puk_code PULUMI_ACCESS_TOKEN push_token PUSHER_APP_SECRET PUSHER_SECRET pushToken pwd pwd1 pwd2
        pwd_confirm pwdHash PYPI_TOKEN q-ak q-signature qid_number qiniu_secret_key quarkus.datasource.password quicknode_token
        R2_SECRET_ACCESS_KEY RABBITMQ_DEFAULT_PASS RABBITMQ_ERLANG_COOKIE rabbitmq_password rack.session radius_secret RAILS_MASTER_KEY
        RAILWAY_TOKEN rancher_bootstrap_password ration_card_number raw_private_key raw_token rawToken razorpay_key_secret razorpay_signature
        rdp_password rds_password re_password reauth_token reauthentication_token recaptcha_secret recaptchaToken receipt_data_secret
        receiver_account_number recovery_code recovery_codes recovery_key recovery_password recovery_phrase recovery_seed recovery_token
        recovery_words recoveryKey recoveryPhrase recoverySeed recoveryToken recoveryWords recurring_token reddit_client_secret reddit_password
        redeem_code redis_auth REDIS_PASSWORD REDISCLI_AUTH redshift_password referral_secret refresh_jwt refresh_token refreshJwt refreshToken
        refreshTokenId_token refreshTokens refund_iban registration_access_token registration_code registration_token registrationCode
        relayer_private_key RelayState_token remember_me_token remember_user_token rememberToken RENDER_API_KEY RENOVATE_TOKEN rePassword
        repeat_password repeat_pin repeatPassword REPLICATE_API_TOKEN req_sign request_signature request_token requestSignature
        RequestVerificationToken RESEND_API_KEY reset_code reset_key reset_link reset_password_key reset_password_token reset_password_url
        reset_token reset_url resetCode resetKey resetPasswordToken resetPin residence_card_number residence_permit_number resident_card_number
        resident_id_number resident_registration_number retype_password Revolut-Signature rfc_curp rfc_number rg_number rg_numero
        rijksregisternummer rodne_cislo rodneCislo ROLLBAR_ACCESS_TOKEN room_passcode room_password root_password root_pwd root_seed root_token
        rootCaKey_secret rootPass rootPassword rotation_key router_password routing_no routing_num routing_number routing_transit_number
        routingNo routingNumber routingnumber rpc_api_key rrn rrn_number rsa_id_number rsa_private_key rsa_privkey rsaPrivateKey rsvp_token
        rtmp_key rtn_number ruc_number run_rut RUNNER_TOKEN rut rut_number s3_access_key s3_secret_access_key s3cr3t s3cret sa_id_number
        SA_PASSWORD sa_password safe_pin safetynet_jws safetynet_token sails.sid salasana SALESFORCE_PASSWORD SALESFORCE_SECURITY_TOKEN
        salt_secret saml_assertion saml_response SAMLart SAMLRequest SAMLResponse samlToken sanity_token SANITY_WRITE_TOKEN SAPISID
        SAPISIDHASH_auth sas_key sas_token sas_uri sasKey sasl.jaas.password sasl_password sasToken sasUrl savings_account_number
        screen_lock_pin SCW_SECRET_KEY sdk_key sdkKey sec_uid_token second_factor_code second_password secondary_password secret secret_answer
        secret_data secret_id secret_key SECRET_KEY_BASE secret_key_base secret_phrase secret_question_answer secret_recovery_phrase secret_seed
        secret_url secret_value SecretAccessKey secretAnswer SecretBinary SecretHash SecretKey secretKey secretkey secretPhrase
        secretRecoveryPhrase secrets secretSeed SecretString secretValue Security-Token security_answer security_password security_pin
        security_stamp security_token securityAnswer securityCode securitycode securityStamp securityToken seed_hex seed_phrase seed_words
        seedHex seedPhrase SEGMENT_WRITE_KEY segment_write_key sender_iban SENDGRID_API_KEY sendgrid_api_key SENDINBLUE_API_KEY senha
        senha_atual senha_confirmacao senhaAtual SENTRY_AUTH_TOKEN SENTRY_DSN_SECRET sentry_key serial_license_key server_key serverAuthCode
        serverKey service_account_json service_account_key service_credentials service_key service_role_key service_secret service_ticket
        servicebus_connection_string serviceKey ses_smtp_password sess sess_id SESSDATA SESSID SESSION session session_cookie session_data
        session_encryption_key session_hash session_id session_jwt session_key session_key_b64 session_secret session_ticket session_token
        sessionCookie sessionHash sessionID sessionId sessionid sessionInfo sessionSecretKey sessionTicket SessionToken Set-Cookie
        set_password_token setup_code_pin setup_intent_client_secret sftp_password share_code_secret share_password share_token shared_key
        shared_link_password shared_secret SharedAccessKey sharedAccessKey SharedAccessSignature sharedKey sharedSecret shareToken shenfenzheng
        shopify_api_secret SHOPIFY_PASSWORD SHOREBIRD_TOKEN short_lived_token sid sifre sifre_tekrar sig sign sign_str signature signature_value
        signatureValue signed_url signedUrl signer_key SIGNING_KEY SIGNING_PASSWORD signing_private_key signing_secret signing_seed
        signingCertificatePassword signingInMemoryKeyPassword signingSecret signup_code signup_token sim_pin sin_number sinNumber
        slack_app_token SLACK_BOT_TOKEN slack_refresh_token slack_signing_secret slack_token slack_user_token SLACK_WEBHOOK_URL slaptazodis
        smb_password sms_otp sms_token sms_verification_code sms_verify_code smsCode smsPin smsVerifyCode SMTP_PASS smtp_password smtpPassword
        snapchat_access_token snmp_community_secret snmpv3_auth_password snowflake_password SNOWFLAKE_PRIVATE_KEY_PASSPHRASE SNYK_TOKEN
        soc_sec_no social_insurance_number social_sec_number social_security social_security_no social_security_number socialInsuranceNumber
        socialSecurity SocialSecurityNo socialSecurityNumber solana_private_key solana_secret_key SONAR_TOKEN sonarqube_password sops_age_key
        SOPS_PGP_KEY sort_code sort_code_1 sort_code_number sortCode sortcode source_id_token sozialversicherungsnummer SPACES_SECRET
        sparkpost_key spend_key spending_key SPLUNK_HEC_TOKEN spnego_token spotify_client_secret spotify_refresh_token spouse_ssn spouseSsn
        spring.datasource.password spring_datasource_password SQUARE_ACCESS_TOKEN square_access_token square_application_secret SSH_KEY
        ssh_key_passphrase ssh_key_password SSH_PASSPHRASE SSH_PASSWORD ssh_password SSH_PRIVATE_KEY sshPrivateKey ssid_token
        ssl.keystore.password ssl.truststore.password ssl_client_cert ssl_key ssl_key_password ssl_private_key SSN ssn ssn_encrypted ssn_last4
        ssn_last_four ssn_number ssnLast4 ssnLastFour ssnNumber sso_session sso_token ssoToken steam_login_secure steam_session_token
        steamLoginSecure stellar_secret step_up_token stepup_token steuer_id steuerId steueridentifikationsnummer steuernr steuernummer stoken
        STOKEN_secret storage_account_key storedPaymentMethodToken storePassword STORYBLOK_TOKEN strapi_token strava_refresh_token
        STREAM_API_SECRET stream_key streamKey Stripe-Signature STRIPE_API_KEY stripe_api_key stripe_customer_ephemeral_key
        stripe_restricted_key stripe_secret_key STRIPE_WEBHOOK_SECRET stripe_webhook_signing_secret stripeToken sts_token stsToken
        studentPassword STYTCH_SECRET su_pass subject_token subscription-key sudo_password sudo_token supabase_anon_key SUPABASE_JWT_SECRET
        supabase_key SUPABASE_SECRET_KEY SUPABASE_SERVICE_ROLE_KEY superuser_password survey_token Svix-Signature svnr svNummer
        swift_account_number symmetric_key symmetricKey sysdba_password SYSTEM_ACCESSTOKEN t0ken tacacs_secret tailscale_authkey taskToken tavv
        tax_file_no tax_file_number tax_id tax_id_number tax_identification_number tax_number tax_payer_id tax_reference_number taxId
        taxIdentificationNumber taxIdNumber taxNumber taxpayer_id taxReferenceNumber tc_kimlik_no tckn teams_app_password teams_webhook_url
        teamviewer_password telegram_api_hash telegram_bot_token telegram_session_string temp_access_code temp_password temp_token
        temporary_code temporary_password temporary_pin temporary_token tencent_secret_key TENCENTCLOUD_SECRET_KEY tenderly_access_key
        teudat_zehut tfa_code tfaCode TFE_TOKEN tfn tfn_number TGT thai_id thing_private_key three_d_secure_token three_ds_cavv threeDSToken
        ticket_secret ticket_token TIGRIS_SECRET_ACCESS_KEY tiktok_access_token tiktok_client_secret tin tin_no tin_number tink_client_secret
        titulo_eleitor tls.key tls_key tlsPrivateKey tmpSecretKey to_account_number tok3n token_cryptogram token_data token_hash
        token_name_value token_salt token_secret token_string token_value tokenex_token tokenHash tokenized_pan_token tokenized_url tokens
        tokenSecret tokenSignature tokenString tokenValue tomtom_key TOTP totp_code totp_secret totp_seed totp_uri totp_url totpSecret
        track1_data track2_data track2Data track_data trackTwoData trade_password tradePassword transaction_password transaction_pin
        TransactionKey transactionKey transactionPin transfer_token transferToken transit_number_account travel_document_number TRAVIS_TOKEN
        treasury_private_key TRELLO_KEY_SECRET TRELLO_TOKEN trezor_passphrase trezor_pin trusted_device_token truststore_password
        trustStorePassword TS_AUTHKEY turnstile_secret turnstile_token TURSO_AUTH_TOKEN TWILIO_API_SECRET TWILIO_AUTH_TOKEN twilio_auth_token
        TWINE_PASSWORD Twitch-Eventsub-Message-Signature twitch_client_secret twitter_api_secret twitter_bearer_token twitter_consumer_key
        twitter_oauth_token_secret two_fa_token two_factor_recovery_codes two_factor_secret two_factor_token twofa_code twofactor_code
        twoFactorSecret twoFactorToken twoFaToken txn_password txtPassword Typeform-Signature typesense_api_key uidai_number uk_nino
        unionpay_cert_password unlock_code unlock_key unlock_token unlockCode unlockPin unseal_key unseal_keys_b64 unsubscribe_key
        unsubscribe_token unwrap_key upi_pin upload_signed_url upload_token UPLOADTHING_SECRET UPSTASH_REDIS_REST_TOKEN upToken uptoken
        url_signature us_ssn us_tin uscis_number user_access_token user_code user_credentials user_hash_secret user_mpin user_pass user_passwd
        user_password user_password_hash user_pin_code user_pwd user_session user_session_token user_ssn userAccessToken userCredentials
        userpass userPassword userpassword userPwd userSecret userSession usr_pwd usrPassword usSsn utr_number uusi_salasana validation_token
        validationToken validator_private_key VAPID_PRIVATE_KEY vapid_private_key vat_id_secret vat_number_secret vat_tax_id vault_password
        VAULT_ROLE_SECRET_ID VAULT_TOKEN vault_token vault_unseal_key vaultToken vcode vendor_iban veracrypt_password VERCEL_TOKEN verif-hash
        verification_key verification_token verificationCode verificationKey verificationToken verify_code verify_otp verify_password
        verify_token verifyCode verifyToken viber_token virtual_card_number visa_number visaCardNumber visaNumber vnc_password
        voicemail_password voicemail_pin volc_secret_key vonage_api_secret voter_card_number voter_id voter_id_no voter_id_number voterId
        voucher_code vpn_password vsphere_password VULTR_API_KEY wachtwoord wachtwoord_herhalen wallet_key wallet_passphrase wallet_pin
        wallet_private_key wallet_private_key_hex wallet_seed wallet_seed_phrase wallet_token walletMnemonic walletPassword walletPrivateKey
        walletSeed walletSeedPhrase WASABI_SECRET_KEY wc_consumer_key weatherapi_key weatherkit_jwt web_session webauthn_assertion
        webflow_api_token webhook-signature webhook_secret webhook_signature webhook_token webhook_url webhookSecret webhookUrl webmin_password
        webPushPrivateKey webSession wechat_access_token wechat_pay_api_v3_key Wechatpay-Signature weibo_access_token wep_key wg_private_key
        whatsapp_token whatsapp_verify_token whm_access_hash whoop_token widevine_key widget_secret wif_key wifi_creds wifi_key wifi_password
        wifiKey wifiPassword winrm_password wire_account_number wireguard_preshared_key withdrawal_password withings_client_secret wlan_key
        woocommerce_consumer_secret wordpress_logged_in wordpress_sec WORKOS_API_KEY worldpay_password wp_nonce wp_password wp_secret
        wpa_passphrase wpa_psk wrap_token wrapped_key wresult writeKey wsfed_token WWW_AUTHORIZATION wx_session_key wxpay_api_key X-Access-Code
        X-Access-Key x-acs-accesskey-id x-acs-security-token X-Admin-Key X-Admin-Token X-Algolia-API-Key x-algolia-api-key
        X-Amz-Cognito-Access-Token x-amz-cognito-id-token x-amz-copy-source-server-side-encryption-customer-key X-Amz-Credential x-amz-id-token
        X-Amz-Security-Token x-amz-server-side-encryption-customer-key X-Amz-Signature x-amz-sns-signing-secret X-Amzn-Authorization X-API-KEY
        x-api-key X-Api-Secret X-Api-Sign X-Api-Signature X-ApiKey X-App-Secret X-App-Sign X-App-Token X-Application-Key X-Appwrite-Key
        X-Atlassian-Token-Secret X-Auth X-Auth-Apikey X-Auth-Key X-Auth-Secret X-Auth-Token X-Auth-User-Service-Key x-authenticated-jwt
        X-Authentication X-Authorization x-authorization-token x-aws-ec2-metadata-token X-BAPI-API-KEY X-BAPI-SIGN X-BC-Webhook-Secret
        x-bce-security-token x-bce-signature X-Bearer-Token X-Ca-Key-Secret X-Ca-Signature X-Cal-Signature-256 X-CC-Webhook-Signature
        X-Checksum-Secret X-Chronosphere-Token X-ClickHouse-Key X-Client-Cert X-Client-Token X-Cloud-Trace-Secret X-Consul-Token
        X-Contentful-Webhook-Secret x-cos-security-token x-csrf-jwt X-CSRF-Token X-CSRFToken X-Device-Token X-Docusign-Signature-1
        X-Domino-Api-Key X-Dropbox-Signature X-Dynatrace-Token X-Elastic-Apikey x-emarsys-signature X-Emby-Token X-Event-Key-Secret
        X-Figma-Token X-Finnhub-Token X-Firebase-AppCheck X-Firebase-Auth-Token X-Forwarded-Client-Cert x-functions-key X-GEMINI-APIKEY
        X-Gemini-Payload-Signature X-GEMINI-SIGNATURE X-GitHub-OTP X-Gitlab-Token X-Goog-Api-Key x-goog-authenticated-user-jwt
        X-Goog-Channel-Token X-Goog-Credential X-Goog-Encryption-Key X-Goog-Iam-Authorization-Token X-Goog-IAP-JWT-Assertion X-Goog-Signature
        X-Grafana-Device-Token X-Guest-Token X-Hasura-Admin-Secret X-HelloSign-Signature X-Hmac X-Hmac-Sha256 X-Hmac-Signature X-Honeycomb-Team
        X-Hub-Signature X-Hub-Signature-256 X-HW-ID-Token X-IBM-Client-Secret x-ig-www-claim-token X-Insert-Key X-Intercom-Hash-Secret
        X-Internal-Secret X-Internal-Token X-JFrog-Art-Api X-Jwt-Assertion X-Kick-Signature X-Klarna-Api-Key X-Kong-Admin-Token
        X-LaunchDarkly-Sdk-Key X-License-Key x-lightstep-access-token X-Line-Signature X-Linear-Signature X-Master-Key X-MBX-APIKEY
        X-MediaBrowser-Token X-Meili-API-Key X-Monzo-Token X-MS-CLIENT-PRINCIPAL x-ms-client-principal x-ms-copy-source-authorization
        x-ms-encryption-key x-ms-token-aad-access-token x-ms-token-aad-id-token X-Mux-Signature X-Nomad-Token X-Nordigen-Token X-NuGet-ApiKey
        X-Nylas-Signature x-obs-security-token X-Obs-Signature X-Okapi-Token x-oss-security-token x-oss-signature X-Otp X-Ovh-Consumer
        X-Ovh-Signature X-Parse-Javascript-Key X-Parse-Master-Key X-Parse-REST-API-Key X-Parse-Session-Token X-Password
        X-PAYPAL-SECURITY-CONTEXT-TOKEN X-PAYPAL-SECURITY-PASSWORD X-PAYPAL-SECURITY-SIGNATURE X-Paystack-Signature X-Pin
        X-Plaid-Verification-Jwt X-Plex-Token X-Postmark-Account-Token X-Postmark-Server-Token X-Prisma-Auth X-Pusher-Signature X-RapidAPI-Key
        x-rapidapi-key X-RapidAPI-Proxy-Secret X-Razorpay-Signature X-Redmine-API-Key X-Registry-Auth X-Registry-Config x-request-signature
        X-Revolut-Signature X-Riot-Token X-Rollbar-Access-Token X-Rundeck-Auth-Token x-s-sign X-Scope-Token X-Secret X-Secret-Access-Key
        X-Secret-Key X-Security-Token X-Sentry-Auth X-Service-Token X-Session-ID X-Session-Token X-SF-TOKEN X-Shopify-Access-Token
        X-Shopify-Hmac-Sha256 X-Shopify-Storefront-Access-Token X-Sid X-Sign X-Signature x-signature X-Signature-Ed25519 X-Signature-SHA256
        X-Slack-Signature x-square-hmacsha256-signature X-Square-Signature X-SSL-Client-Cert X-Storage-Token X-Subject-Token X-Sumo-Token
        X-Tableau-Auth X-TBA-Auth-Key X-TC-Token X-Telegram-Bot-Api-Secret-Token X-Tink-Token x-tos-security-token X-Trello-Webhook-Sig
        X-Twilio-Email-Event-Webhook-Signature X-Twilio-Signature x-twitter-auth-token X-Tyk-Authorization X-TYPESENSE-API-KEY X-User-Token
        X-Vault-Token X-Vault-Wrap-Token X-Viber-Auth-Token X-Viber-Content-Signature X-Wavefront-Token X-Webhook-Secret X-Webhook-Signature
        X-Wise-Token X-WP-Nonce X-WSSE-Password x-xbl-token X-XSRF-TOKEN X-Yandex-API-Key X-Yandex-Token X-Zendesk-Webhook-Signature
        x-zm-signature x-zumo-auth X-ZUMO-MASTER x25519_private_key x_api_secret x_api_token x_card_code x_card_num x_sign xbox_token xi-api-key
        xprv xprv_key XSRF XSRF-TOKEN xsts_token yandex_oauth_token yc_iam_token yeni_sifre yodlee_access_token youtube_api_key zak zak_token
        zaporka zendesk_api_token ZENDESK_TOKEN ZEROTIER_TOKEN zip_password ZOOM_CLIENT_SECRET zoom_jwt zoom_webhook_secret şifre κωδικός
        новый_пароль новыйПароль пароль повторите_пароль секретный_ключ токен סיסמה كلمة_المرور รหัสผ่าน パスワード 口令 密码 密碼 手机验证码 护照号 支付密码 新しいパスワード
        新密码 旧密码 暗証番号 登录密码 社保号 身份证号 身份证号码 銀行卡號 银行卡号 비밀번호 새비밀번호
        """#.split(whereSeparator: \.isWhitespace).map(String.init)
}
