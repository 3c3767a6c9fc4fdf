enum HarmlessNameList {
    /// Names of header fields, parameters and members that carry no secret, from `A` on.
    static let first = #"""
        $skiptoken A-IM academic_credential_type academic_session academic_session_id Accept Accept-Additions Accept-CH Accept-Charset
        Accept-Datetime Accept-Encoding Accept-Features Accept-Language Accept-Patch Accept-Post Accept-Query Accept-Ranges Accept-Signature
        accept_cookies accepted_prediction_tokens access Access-Control-Allow-Credentials Access-Control-Allow-Headers
        Access-Control-Allow-Methods Access-Control-Allow-Origin Access-Control-Expose-Headers Access-Control-Max-Age
        Access-Control-Request-Headers Access-Control-Request-Method access_control access_count access_date access_granted access_key_last_used
        access_key_status access_level access_list access_log access_mode access_point access_policy access_rights access_tier access_time
        access_token_audience access_token_created_at access_token_expires_in access_token_expiry access_token_format access_token_lifespan
        access_token_lifetime access_token_name access_token_policy_id access_token_ttl access_token_type access_token_url access_token_validity
        access_type access_url accessControl accessed_at accessibility accessible accessLevel accessLogs accessories accessory
        accessTokenExpiresAt accessType account_active account_age account_balance account_category account_class account_closed account_code
        account_count account_created account_created_at account_credentials_expired account_currency account_description account_email
        account_group account_holder account_holder_name account_holder_type account_id account_label account_level account_limit account_limits
        account_locale account_manager account_mask account_name account_nickname account_number_format account_number_label
        account_number_length account_numbers_enabled account_opened_at account_owner account_plan account_ref account_reference account_region
        account_role account_settings account_status account_subtype account_tier account_type account_updated account_url accountability
        accountable accountant accountants accountBalance accountId accounting accountName accountNonExpired accountOwnerName accounts
        accounts_count accounts_payable accounts_receivable accountType accountTypeName accredited accuracy acr_values action_code action_key
        actionKey activation_count activation_date activation_function activation_rate activation_rate_limit activation_status activations
        active active_session_count active_sessions activity_code actor_token_type add_special_tokens added_tokens additional_special_tokens
        address address_line1 aeinstein affiliate_code after after_hours_session Age agency_code agent_id agent_name aggregation_key
        aggregationKey airline airline_code airport_code airport_codes alarm_code_description alg align align_items alignment all_access_pass
        all_pass Allow allow_credentials allow_password_login ALPN Alt-Svc Alt-Used alt_key Alternates altitude altKey amount
        AMP-Cache-Transform analog_pin analysis_pass anchor animation annual_pass answer_code answer_key answer_keys anthropic-beta
        anthropic-ratelimit-input-tokens-limit anthropic-ratelimit-tokens-remaining anthropic-version api Api-Version api_base api_calls
        api_endpoint api_host api_key_count api_key_created_at api_key_id api_key_name api_key_required api_key_status api_name api_status
        api_token_count api_token_created_at api_token_id api_token_name api_tokens_count api_type api_url api_version apiKeyId apiKeyIds
        apiKeyName apiKeySource apiUrl apiVersion app app_id app_key_name app_name app_store_url app_version appId application application_id
        application_name applications Apply-To-Redirect-Ref appName apps appVersion arcade_tokens archived area_code area_codes areaCode arrival
        arrow_key arrow_keys aside assertion_consumer_service_url assertion_count assertion_method assertion_type assertions assertions_passed
        assertionsFailed asset_key assign assignable assigned assigned_at assigned_to assignedTo assignee assignee_id assignees assigner
        assignment assignment_id assignments assigns assist_pass assists astrological_sign at_sign atc_code attachment_key attachment_keys
        attachments attention_mask attribute_key attributeKey attributes Attribution-Reporting-Eligible audience audio_token audio_tokens
        auth_at auth_attempts auth_backend auth_backends auth_button_text auth_callback_url auth_chain auth_class auth_color auth_config_id
        auth_connection_type auth_context auth_context_class auth_date auth_disabled auth_display_name auth_domain auth_domain_name
        auth_duration auth_enabled auth_enabled_at auth_endpoint auth_error auth_error_code auth_error_message auth_event auth_events
        auth_expires auth_expires_at auth_factor_count auth_factors auth_failure_count auth_failure_reason auth_failures auth_flow auth_group
        auth_groups auth_host auth_icon auth_label auth_latency auth_level auth_link_expiry auth_log auth_logs auth_method auth_methods
        auth_mode auth_modes auth_module auth_name auth_optional auth_options auth_order auth_page auth_params_count auth_path auth_plugin
        auth_plugins auth_policies auth_policy auth_port auth_prefix auth_protocol auth_provider auth_provider_x509_cert_url auth_realm
        auth_redirect auth_redirect_url auth_request_count auth_required auth_response_type auth_result auth_result_type auth_role auth_roles
        auth_scheme auth_screen auth_server auth_server_url auth_service auth_service_url auth_settings auth_skipped auth_source auth_sources
        auth_state auth_status auth_strategies auth_strategy auth_success auth_success_count auth_success_rate auth_tab auth_time auth_title
        auth_token_expiry auth_token_lifetime auth_token_type auth_type auth_ui auth_uri auth_url auth_user auth_user_id auth_users
        auth_verified auth_version authDomain authentic authenticated authenticatedAt Authentication-Control authentication_backends
        authentication_classes authentication_context authentication_count authentication_date authentication_enabled authentication_failed
        authentication_flow authentication_flows authentication_level authentication_method authentication_mode authentication_protocol
        authentication_provider authentication_required authentication_result authentication_results authentication_scheme
        authentication_service authentication_source authentication_status authentication_strength authentication_type authenticationInstant
        authenticationMethods authenticationProviders authenticator authenticator_selection authenticator_type authenticatorAttachment
        authenticators authenticity authLevel authMethod authMethodName authMethods authMode authn_methods authn_type author author_association
        author_bio author_count author_email author_id author_image author_name author_profile author_role author_slug author_verified authorBio
        authored_at authored_by authored_date authorId authoring authoritative authorities authorities_count authorities_list authorities_total
        authority authority_id authority_name authority_type authority_url authorityId authorization_amount authorization_currency
        authorization_date authorization_decision authorization_details_types_supported authorization_endpoint authorization_endpoints
        authorization_expiry authorization_id authorization_level authorization_mode authorization_model authorization_model_id
        authorization_number_count authorization_policy authorization_required authorization_result authorization_roles authorization_rules
        authorization_scope authorization_server authorization_servers authorization_status authorization_status_reason authorization_type
        authorization_url authorizationScopes authorizationServers authorizationType authorizationUrl authorize_url authorized_amount
        authorized_at authorized_by authorized_keys_count authorized_networks authorized_parties authorized_scopes authorized_user_count
        authorized_users authorizer authorizer_id authorizers authorizerType authorizeUrl authorName authors authorship authProvider
        authRequired authServerUrl authStatus authType authTypeId authTypes authUrl authUserId authz_model authz_policy autumn_session
        Available-Dictionary avatar avatar_url avatarUrl average_tokens avg_session_duration avg_tokens background backspace_key backspin
        backstage_pass backup_codes_count backup_codes_remaining backup_count backup_date backup_enabled backup_frequency backup_location
        backups backward_pass bad_password_count bad_words_ids badge badPasswordTime badPwdCount baggage balance band_pass bandpass bandwidth
        bank_account_bank_name bank_account_country bank_account_currency bank_account_holder_name bank_account_id bank_account_label
        bank_account_last4 bank_account_name bank_account_status bank_account_type bank_account_verified bank_accounts_count bank_address
        bank_branch bank_city bank_code bank_code_type bank_country bank_holiday bank_id bank_logo bank_name bank_swift_code
        bank_transfer_enabled bank_type bankHolidayName banking_day bankName bankrupt bankruptcy bar_code barcode barcode_type barcodeFormat
        barcodes base_token batch_number batchNumber battle_pass bcc bearer_enabled bearer_format bearer_method bearer_methods_supported
        bearer_name bearer_token_enabled bearer_type bearerFormat bearing bearings before begin_suppress_tokens begin_token benign bic_code
        billing_address billing_code bin_code bin_number_count bio birth_sign birthday biz_code bizCode blob block_cookies blockCookies
        bloom_pass blur_pass board_key boarding_pass boardingPass boardingPassUrl body bonus_tokens book_signing_session booking_class_code
        border bos_token bos_token_id bot_token_type bottom bounce_sessions bowling_pin bowling_pins_left box_folder_id boxing_session
        bpe_tokens bracket_token brainstorming_session branch branch_code branch_key branchCode brand_code breakout_session broken_token_count
        bucket_key bucket_key_enabled bucket_tokens bucketing_key bucketKey budget_code budget_session budget_tokens build_code build_id
        build_key build_number build_pass build_status buildKey buildNumber bus_pass business_card business_key businessKey button button_pin
        buzzer_pin bypass bypass_cache bypass_enabled bypass_rate bypass_valve bypassCache byte_code bytecode C-Ext C-Man C-Opt cabin_class
        cabin_code Cache-Control Cache-Group-Invalidation Cache-Groups Cache-Status cache_creation_input_tokens cache_key cache_key_prefix
        cache_keys cache_read_input_tokens cached_content_token_count cached_tokens cacheKey cadence Cal-Managed-ID CalDAV-Timezones calendar_id
        call_sign call_sign_name call_signature calling_code callsign calories campaign campaign_code campaign_id campaign_name campus_code
        campus_pass cancellation_code cancellation_reason_code cancellation_token cancellationToken candidate_key candidatesTokenCount cap_code
        Capsule-Protocol card_art card_back card_balance card_body card_brand card_category card_checks_result card_color card_count
        card_country card_currency card_deck card_design card_design_id card_errors card_exp_month card_expiry_month card_fingerprint_version
        card_footer card_front card_funding card_game card_header card_height card_holder_name card_id card_image card_issuer
        card_issuer_country card_key card_last4 card_layout card_level card_limit card_network card_number_error card_number_format
        card_number_label card_number_length card_number_mask_enabled card_number_valid card_order card_payments card_payments_enabled
        card_position card_present card_processing card_product card_program card_rank card_rarity card_reader card_reader_id card_scheme
        card_service_fee card_set card_status card_style card_sub_type card_subtitle card_suit card_text card_tier card_title card_token_type
        card_type card_usage card_valid card_verification_enabled card_verification_status card_verified card_width cardboard cardBrand
        cardBrandLogo cardHolder cardholder_name cardiac cardId cardinal cardinality cardio cardLast4 cardLayoutType cardReader cards
        cards_count cardTitle cardType carrier_code carrierCode cart cart_id cart_items case_number casing casino catch_phrase categories
        category category_code category_codes category_key categoryKey cc CDN-Cache-Control CDN-Loop cell cell_key census_code center
        Cert-Not-After Cert-Not-Before certificate_id certificate_name certificate_type certificates certification certified CF-Cache-Status
        CF-Connecting-IP CF-IPCountry CF-Ray Cf-Visitor chain_code change_password_url changes_token changeToken channel channel_code channel_id
        channel_key chapter_number char_code charCode charging_session chargingSession charset_code chart_key chat_session_count check_in
        check_key check_number check_out checkbox checkin_date checkout checkout_url checkpoint_token checksum chemo_session child_key
        child_pass children chinese_sign chunk_overlap_tokens chunk_size_tokens chunk_tokens cinema citizen_count citizenship
        citizenship_country city city_code city_pass claim_code_type claims_supported class_code class_pass class_session classCode
        classification_code classification_token Clear-Site-Data clear_cookies clearCookies client client_assertion_type client_id client_ip
        client_name client_public_key client_timeout client_type client_version clientId clientIp clientName clients clinical_sign clock_pin
        Close close_code closeCode closing_session clothespin cls_token cluster cluster_key cluster_name clustering_key clusterKey CMCD-Object
        CMCD-Request CMCD-Status CMSD-Dynamic CMSD-Static co_author coach coaching_session coauthors code_base code_block code_blocks
        code_challenge code_challenge_method code_challenge_methods code_challenge_methods_supported code_color code_complexity code_coverage
        code_duplication code_editor code_end code_execution code_execution_result code_expires_at code_font code_freeze code_frequency
        code_hash_algorithm code_indent code_interpreter code_lang code_language code_language_id code_length code_length_limit code_line
        code_lines code_location code_metrics code_name code_of_conduct code_owner code_owners code_path code_point code_points code_quality
        code_range code_review code_sample code_samples code_scanning code_scanning_alerts code_search code_signing code_signing_config
        code_size code_smells code_snippet code_start code_status code_style code_template code_text code_theme code_type code_url
        code_verifier_supported code_version code_version_id code_view codebase codec codecs codeName codeOwnerTeam codependent codepoint coder
        codeReviewUrl coders codex coding coding_language coding_level collection_code color color_code color_codes color_key color_token
        colorCode colorKey colour column column_key column_keys columns comment comment_token comments commit commit_key commit_sha
        commodity_code commune_code companies companion company compass compass_heading compassAngle compiler_pass completion_code
        completion_tokens completion_tokens_details component_key componentKey composite_key Concealed-Auth-Export concert_ticket concrete
        concurrency_token concurrencyToken concurrent_sessions condition_code conference_session config config_key configKey configuration
        Configuration-Context confirmation_email_sent confirmation_number confirmation_required confirmation_sent_at confirmation_status
        Connection consider consign consignee consignment consignor consumer consumer_group consumer_id consumers container container_id content
        Content-Base Content-Digest Content-Disposition Content-Encoding Content-ID Content-Language Content-Length Content-Location Content-MD5
        Content-Range Content-Script-Type Content-Security-Policy Content-Security-Policy-Nonce-Mode Content-Security-Policy-Report-Only
        Content-Style-Type Content-Type Content-Version content_type content_type_key context context_token_limit context_tokens
        context_window_tokens continuation_tokens ContinuationToken continuationToken continue contract_code contract_number conversation_id
        cookie_banner cookie_banner_shown cookie_behavior cookie_categories cookie_category cookie_clicker cookie_consent cookie_consent_given
        cookie_consent_version cookie_count cookie_cutter cookie_domain cookie_dough cookie_enabled cookie_encoding cookie_expiration
        cookie_expires cookie_expiry cookie_flavor cookie_httponly cookie_info_page cookie_jar cookie_law cookie_less cookie_lifetime
        cookie_matching_enabled cookie_max_age cookie_monster cookie_name cookie_notice cookie_notice_dismissed cookie_partitioned cookie_path
        cookie_policy cookie_policy_url cookie_preferences cookie_prefix cookie_prefs cookie_price cookie_recipe cookie_same_site cookie_secure
        cookie_settings cookie_size cookie_size_limit cookie_support cookie_sync_url cookie_text cookie_ttl cookie_type cookie_version
        cookieBanner cookieBannerText cookieConsent cookieDomain cookieJar cookieless_tracking cookieName cookiePolicyAccepted cookies_accepted
        cookies_baked cookies_disabled cookies_enabled cookies_per_batch cookies_policy_accepted cookies_sold cookiesEnabled cooking_session
        cosign_count cost_center_code cost_code cost_per_1k_tokens cost_per_million_tokens cost_per_token cotter_pin council_session count
        countersigned countersigned_at country country_calling_code country_code country_codes country_iso_code country_key countryCode
        countryCodeList countryKey county_code coupon coupon_code coupon_codes couponCode course_code court_session court_sessions coverage
        covid_pass cpt_code cpu created_at createdAt credential_configuration_ids credential_count credential_definition credential_display_name
        credential_expires_at credential_expiry_date credential_format credential_helper credential_id credential_ids credential_issuer
        credential_kind credential_level credential_level_required credential_name credential_name_label credential_provider
        credential_provider_id credential_schema credential_source_type credential_status credential_subject credential_type credential_types
        credentialId credentials_count credentials_expired credentials_expiry credentials_mode credentials_provider credentials_required
        credentials_type credentials_updated_at credentials_valid credentialSchema credentialsNonExpired credentialStatus credentialSubject
        credentialType credit credit_card_brand credit_card_enabled credit_card_expiry_month credit_card_fee credit_card_id credit_card_type
        credit_cards_count credit_limit credit_score credit_tokens creditcards_accepted credited creditor credits crispin
        Cross-Origin-Embedder-Policy Cross-Origin-Opener-Policy Cross-Origin-Resource-Policy crypto_amount crypto_currency crypto_exchange
        cryptocurrency cs_pin csrf_checked csrf_cookie_age csrf_cookie_domain csrf_cookie_name csrf_enabled csrf_exempt csrf_failure_view
        csrf_field_name csrf_header_name csrf_protection csrf_token_enabled csrf_token_name csrf_trusted_origins csrf_use_sessions csrf_valid
        csrfEnabled CTA-Common-Access ctrlKey curp_enabled currency currency_code currency_codes currency_sign currencyCode currencySign
        current_session_number current_sign_in_at cursor cursorToken custom_pin_image customer_code customer_id customer_key_id customer_name
        customer_number customerId cvc_check cvc_check_result cvv_check cvv_required cvv_response_message cvv_result cycling_session
        daily_tokens danger_sign dark_mode dashcard DASL data data_key_name data_keys data_pin dataKey Date date date_key dateKey datetime DAV
        day_pass dealer_code debit_card_fee debit_card_type decimal_sign decisionDefinitionKey decline_code decline_codes declineCode decode
        decoder decoder_start_token_id dedup_key dedupe_key deduplication_key Default-Style degree_code degree_sign delay delay_minutes
        delete_key deleted deleted_at deletedAt Delta-Base delta_link delta_token_link deltaToken demo_session department_code departure
        deploy_token_id deploy_token_name deployment_id deployment_name deployment_status Deprecation dept_code Depth depth depth_pass
        Derived-From description design design_file design_id design_pattern design_review design_system design_token design_tokens
        design_tokens_version design_url designated designation designer designer_id designers designTokens designTokenSet desktop_id
        Destination destination_code destination_pin Detached-JWS-Support detokenized Device-Memory device_brand device_category device_class
        device_code_name device_count device_family device_group_count device_id_type device_info device_language device_limit device_locale
        device_location device_manufacturer device_memory device_mode device_model device_name device_orientation device_os device_os_version
        device_pin_count device_pixel_ratio device_platform device_state device_status device_token_count device_token_type device_tokens_count
        device_type device_width deviceModelId deviceName deviceNameLabel devices deviceType diagnosis_code diagnosis_codes dial_code dialCode
        dialing_code dialysis_session dict_keys Dictionary-ID dictionary_key did_pass Differential-ID Digest digest digital_pass digital_pin
        dimension_key dimensionKey direction direction_sign disable_cookies disable_password_authentication disabled
        disablePasswordAuthentication discard discarded discount discount_code discount_code_id discount_codes discountCode discreet disk
        display_name displayName disposition_code dist_key distance distinct distkey distribution_key distributionKey district_code districtCode
        dive_session dnip_count DNT doc_code doc_key Docker-Content-Digest Docker-Distribution-Api-Version document_key document_keys
        document_tokens document_type_code documentKey dollar_sign donkey door_sign Downlink DPR draft draws drive_id drive_session driver
        driver_id driver_license_class driver_license_country driver_license_expiration_date driver_license_expiry driver_license_state
        driver_name driver_rating driver_status driving_session drop_pin dropdown drug_code dtc_code duration ean_code Early-Data easing
        echo_pin echo_tokens ECT edge_key EDIINT-Features Elastic-Api-Version elevation email email_signature email_signature_html
        email_verified emailSignature emailVerified embed embedding_model emoji_code emp_code employee_code employee_number employeeNumber
        enable_pin enabled enamel_pin encode encoder encoder_id encoding encoding_code encompass encompasses encrypted encryption
        encryption_algorithm encryption_context encryption_enabled encryption_key_id encryption_key_name encryption_type end_cursor end_key
        end_keys end_token endCursor ended_at ending_before endKey engaged_sessions engine ensign enter_key entity_key entityKey env environment
        eos_token eos_token_id ephemeral_public_key epic_key episode_number equals_sign erc20_token erc721_token err_code errCode errcode
        error_code error_code_name error_codes error_key error_subcode ErrorCode errorCode errorcode errorCodeName errorKey escape_key
        esign_enabled esignature_status estimated_token_count estimated_tokens ETag etag eurail_pass ev_charging_session evening_pass event
        event_code event_codes event_id event_key event_pass event_ticket_price event_time event_type eventKey eventName events exam_code
        exam_session exclude ExclusiveStartKey exclusiveStartKey exit_code exit_codes exit_sign exitCode exp_month exp_year expand Expect
        Expect-CT experiment_key Expires expiry_month expiry_year expiryMonth explorer_pass expMonth express_pass expYear Ext fabric_code
        facility_code faculty_code family_pass fare fare_code fares fast_pass fault_code faultCode fax_number Feature-Policy feature_key
        featureKey features fee fee_token feedback_session fees fencing_token ferry_pass festival_pass field_key field_keys fieldKey fields file
        file_key file_keys file_name file_size fileKey fileName filename filter filter_pass filters final_pass fips_code firing_pin
        firmware_code first first_name first_pass first_token_latency first_token_time firstName fishing_session fk flag_key flag_keys flagKey
        flags flash_card flashcard flat_number flight flight_code flight_number flight_session flightNumber Fly-Request-Id folder_key followers
        following font font_family font_size font_tokens font_weight footer forbearer force_password_change forced_bos_token_id
        forced_eos_token_id forcePasswordReset forecast_days foreground foreign_key foreign_keys foreign_name foreignKey foreignKeys
        foreignKeyTable forgot_password_url form_code form_key_name form_keys formCode fortune_cookie forward_pass forward_passes Forwarded
        free_pass free_tokens frequency_penalty friends From from from_address from_currency_code from_key from_token frying_pan fuel_code
        full_name function_keys function_signature fund_code fungible_tokens game_pass game_session game_tokens gaming_session gang_sign
        gas_token gate gate_code_type gate_number gender gender_code geo_code geocode geocode_accuracy geocoded geocoder_source geometry_pass
        GetProfile gift gift_card_balance gift_card_id gift_card_type gift_cards gift_message gift_type gl_code glyph goals golf_pin
        governance_token gpg_public_key gpio_pin gpio_pins gpioPin grade_code grant_type grant_types_supported grantTypes graphics_card
        greeting_card grid ground_pin group_by group_by_key group_code group_key group_keys group_sessions groupCode grouping_key
        grouping_key_name groupKey guest_pass guests guid gym_pass gym_session gym_session_id hackathon_session hair_pin hairpin half hall_pass
        hand_sign has_next_page has_passed has_passport has_password has_pin has_secret has_secrets has_usable_password hash hash_key hash_keys
        hash_rate hash_sign hash_tag HashKey hashrate hashtag hashtags hasNextPage hasPassword hasPin hasPreviousPage hasSecrets hat_pin having
        hazard_sign header header_key heading health_check health_pass health_score health_status healthcheck heart_rate heat_signature height
        help_key hex_code hexCode hidden hidden_size high_pass highpass hiit_session hindsight hint history_token hmac_algorithm hmac_enabled
        hmacAlgorithm hockey home_key horoscope_sign horoscopeSign Host host host_count host_id host_name host_public_key hostname hot_key
        hot_keys hotel hotel_code hotkey hotkey_enabled hotkeyLabel house_number house_pin href hs_code HTTP2-Settings http_code
        http_status_code httpCode i18n_key i18nKey iata_code iban_country iban_country_code iban_enabled iban_format iban_supported iban_valid
        icao_code icd10_code icd_code icd_codes icon icon_key iconKey id id_card_image_size id_card_type id_document_type id_field id_format
        id_key id_number_type id_prefix id_token_encrypted_response_alg id_token_expiry id_token_lifetime id_token_signed_response_alg
        id_token_signing_alg_values_supported id_type idd_code Idempotency-Key idempotency_key idempotency_token idempotencyKey
        identification_type identifier_tokens identity_card_type identity_check identity_checks identity_document_type identity_format
        identity_id identity_level identity_pool_id identity_provider identity_providers identity_source identity_status identity_theft_count
        identity_type identity_verification_session_status identity_verification_status identity_verified identityProvider identityProviderName
        idKey idle_time idle_timeout ids_only idType If If-Match If-Modified-Since If-None-Match If-Range If-Schedule-Tag-Match
        If-Unmodified-Since ifsc_code ignored_tokens IM image image_key image_keys image_tag image_token image_tokens image_url images include
        incredible Incremental index index_keys infinity_sign initial_pass innings input_pin input_token_count input_token_details input_tokens
        input_tokens_details inputTokenCount inputTokens inside insider insight insights insigna insignia inspection_pass instance_id
        instance_type insurance_amount insurance_company insurance_cost insurance_expiry insurance_number_format insurance_plan
        insurance_provider insurance_status insurance_type insuranceType insured_name integration_id integration_type interest_rate
        interrail_pass interrupt_pin interval introspection_endpoint inventory invoice invoice_code invoice_id invoice_number invoiceNumber
        is_authenticated is_authorized is_default_card is_encrypted is_foreign_key is_iban_valid is_key is_mfa_enabled is_pass is_passed
        is_password_protected is_pinned is_primary_key is_private is_secret is_session_active is_signed is_verified isAuthenticated isAuthorized
        isbn_code isEncrypted isKey island iso_code iso_country_code iso_currency_code isoCode Isolation isPasswordProtected isPinned
        isPrimaryKey isPrivate isSecret isSigned issue_key issue_number issued_token_type issueKey issuer item_code item_key itemCode itemKey
        iterator_token jam_session japan jersey_number jira_ticket job_code job_id job_key job_name jobKey jockey join_key joinKey json_key
        json_keys jwk_set_url jwks jwks_cache_ttl jwks_endpoint jwks_uri jwks_url jwt_algorithm jwt_audience jwt_auth_enabled jwt_bearer_enabled
        jwt_claims_namespace jwt_debugger jwt_enabled jwt_expiration jwt_expires_in jwt_expiry jwt_header_name jwt_issuer jwt_leeway
        jwt_lifetime jwt_provider jwt_public_key jwt_refresh_interval jwt_ttl jwt_validation jwtExpiry Keep-Alive kerning Key key
        key_account_manager key_activities key_algorithm key_alias key_area key_areas key_art key_attribute key_attributes key_benefits
        key_binding key_bindings key_bindings_enabled key_card_title key_chain_item key_class key_code key_codes key_color_primary key_column
        key_competitors key_condition key_conditions key_contact key_converter key_count key_count_total key_date key_date_range key_dates
        key_deserializer key_drivers key_encoding key_end key_entities key_event key_event_type key_events key_extractor key_fact key_facts
        key_features key_field key_figure key_figures key_findings key_format key_frame key_hash key_hash_algorithm key_id key_index
        key_indicator key_info_title key_insights key_issue key_issues key_language key_length key_light key_map key_market key_messages
        key_metric key_metrics key_milestones key_modifiers key_moments key_name key_note key_ops key_order key_padding_mask key_partners
        key_pass_count key_passes key_path key_pattern key_performance_indicator key_person key_phrases key_players key_points key_prefix
        key_press_count key_presses key_questions key_range key_release_date key_repeat_delay key_resources key_result key_results key_ring
        key_roles key_schema key_separator key_serializer key_signature key_signature_name key_size key_skill key_skills key_space key_spec
        key_stage key_start key_state key_stats key_switch_type key_takeaways key_terms key_theme key_themes key_topics key_travel key_type
        key_usage key_value key_value_heads key_vault_name key_version key_visual key_word keyable keyAttribute keyAttributes keyBindings
        keyboard keyboard_layout keyboard_shortcut keyboard_type keyboardHeight keyboardType keychain_enabled keyClass keyCode keycode
        KeyCondition KeyConditionExpression keyConditions KeyCount keyCount keyDown keydown keyed keyEncoding keyframe keyframes
        keyHash_algorithm keyhole keyhole_size KeyId keyID keyId keying keyInsights keyless keymap keymap_name KeyName keyName keyNames keynote
        keynote_session keyOrder keypad keyPath keypath keyPhrases keyphrases keypress keyring_count keyring_enabled keyring_name keys KeySchema
        keySeparator keyser keySerializer keyset keyset_handle_size keyset_id keySize keyspace keyStats keystone keystone_species keystroke
        keystrokes keyTerms KeyType keyType keyup keyUsage keyVaultUri keyVersion keyword keyword_count keyword_density keyword_list
        keyword_token keywords keywords_matched kid kind kind_code king_pin kingpin kms_key_arn kms_key_id kms_key_name kms_master_key_id
        kmsKeyArn kmsKeyId KMSMasterKeyID lab_session Label label_key lang lang_code lang_codes langKey language language_code language_codes
        language_key languageCode lap lapel_pin laps Large-Allocation last Last-Event-ID Last-Modified last4 last_accessed last_key last_name
        last_password_change last_sign_in_at last_token_index lastAccessed LastEvaluatedKey lastEvaluatedKey lastName lastPasswordChange
        lastSessionDate lat latency latitude layout league leave_code led_pin led_pin_number led_sign led_sign_text ledger_code ledPin left
        legend_key legislative_session legislature_session length letter_spacing level lexer_token license license_category license_class
        license_count license_expiration license_expiry license_holder license_issue_date license_key_type license_name license_number_format
        license_number_label license_plate license_plate_country license_plate_number_region license_state license_status license_terms
        license_text license_type license_url licensed licensee licenseName licensePlateFont licenses licenseType licenseUrl licensing_model
        lifespan lift_pass ligatures lighting_pass lightning_session likes limit linchpin line_code line_height line_number lineCode lineNumber
        Link link Link-Template links lint_pass list_key list_token_next listening_session listKey live_session lng local_key_name locale
        locale_code locale_codes locale_key localization_key localKey Location location_code location_pin locationCode lockoutThreshold
        logit_bias logprobs loinc_code lon long_pass long_passes longitude lookup_key lookupKey losses lot_number lottery_ticket lounge_pass
        low_pass lowpass loyalty_card_tier lp_token lucky_number lunar_sign lunch_session lunch_sessions macaroni mail_signature major_code
        major_key major_key_signature Man manifold map_key map_keys map_legend_key map_pin map_pins map_pins_count map_style map_zoom mapPin
        mapping mappings mapPinIcon margin Marker marker marker_token market_code market_session martini mask_token mask_token_id mask_tokens
        master master_branch master_data master_id master_volume mastered match match_key match_session_duration matchKey material_code
        Max-Forwards max_batch_total_tokens max_completion_token_count max_completion_tokens max_context_tokens max_input_tokens max_key
        max_keys max_new_tokens max_output_tokens max_password_age max_position_embeddings max_prompt_tokens max_results max_seq_tokens
        max_session_age max_session_duration max_sessions max_token_length max_tokens max_tokens_to_sample max_total_tokens MaxKeys maxPwdAge
        maxResults maxTokenLimit maxTokens mcc md5 measure_key media_key media_keys mediaKey medical_condition medicare_level meditation_session
        meditation_sessions_count member_number membership_number meme_token Memento-Datetime memory memory_card mentions mentoring_session menu
        menu_key menu_keys merchant merchant_category_code merchant_id merchant_name merge_key message message_code message_id message_key
        message_tokens messageKey meta meta_key metadata metadata_key metadata_keys metaKey Meter Method-Check Method-Check-Expires
        method_signature metric_key metro_pass mfa_challenge_type mfa_configuration mfa_devices_count mfa_enabled mfa_enrolled mfa_factor_type
        mfa_factors mfa_grace_period mfa_level mfa_method mfa_methods mfa_options mfa_options_type mfa_policy mfa_preference mfa_provider
        mfa_required mfa_setup_complete mfa_setup_required mfa_status mfa_type mfa_verified mfa_verified_at mfaEnabled mfaEnabledAt mfaStatus
        MIME-Version mime_type min_key min_new_tokens min_output_tokens min_password_length min_tokens minimumPasswordLength minor_code
        minor_key minPwdLength mint_token_program minus_sign minus_sign_symbol minusSign mnemonic_type mobile mobile_code_type
        mobile_country_code mobile_network_code mobile_number mobile_pass_enabled modal model_code model_id model_number modifier_code
        modifier_key modifier_keys module_key moduleKey monkey_id monsoon_session monthly_pass monthly_tokens moon_sign morning_session
        morse_code mosaic mosi_pin motor_pin mountain_pass mountain_passes msg_code msgCode multi_pass municipality_code museum_pass musical_key
        musical_key_name must_change_password mustChangePassword n_ctx n_past_tokens n_prompt_tokens n_tokens naics_code name name_key name_sign
        nameKey namespace national_anthem national_average national_currency national_flag national_holiday national_park national_park_pass
        national_parks national_rank national_team national_team_id nationalFlagUrl nationalities nationality nationality_code native_token
        natural_key nav_key navbar ndc_code negative_prompt negative_sign Negotiate NEL neon_sign networking_session new_listing_tokens
        new_sessions newline_token news_source newStartPageToken next_cursor next_key next_page next_page_token next_sync_token next_token
        next_token_page next_token_probability nextBackwardToken nextBatchToken NextContinuationToken nextCursor nextForwardToken nextKey
        NextMarker nextPageCursor NextPageToken nextPageToken nextPaginationToken nextSyncToken nextSyncTokens NextToken nextToken nft_token_id
        nft_tokens nickname nifty nights nine_pin No-Vary-Search node node_id node_key nodeKey noise_seed non_fungible_token nonce_count notes
        notification_code num_key_value_heads num_output_tokens num_signatures num_tokens number number_format number_of_accounts
        number_of_cards number_of_guests number_of_items number_of_pages number_of_passes number_of_seats number_of_sessions number_of_tokens
        number_one numberOfAttempts numTokens oatmeal_cookie oauth2_redirect_url oauth_app_name oauth_applications oauth_callback
        oauth_callback_confirmed oauth_provider oauth_redirect_uri oauth_scopes oauth_signature_method oauth_timestamp oauth_version object_key
        object_key_name object_keys objectKey objectKeys Observe-Browsing-Topics OData-EntityId OData-Isolation OData-MaxVersion OData-Version
        offer_code offer_codes office_code offset onboarding_session one_pass
        """#.split(whereSeparator: \.isWhitespace).map(String.init)
}
