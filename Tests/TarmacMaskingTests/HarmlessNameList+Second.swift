extension HarmlessNameList {
    /// The names after them.
    static let second = #"""
        op_code opacity opaque_pass opcode opcodes open_session_count open_sign open_source_license OpenAI-Organization OpenAI-Processing-Ms
        OpenAI-Version opening_session operator_code operator_token operator_tokens opinion opinion_poll opinions Opt optimization_pass
        option_key option_keys options order order_by order_by_key order_id order_key order_number orderBy orderId Ordering-Type orderNumber
        Origin Origin-Agent-Cluster origin_code origin_pin OSCORE OSLC-Core-Version otp_algorithm otp_attempts otp_attempts_left otp_channel
        otp_delivery otp_delivery_method otp_digits otp_enabled otp_expires_at otp_expiry otp_issuer otp_label otp_length otp_method otp_mode
        otp_period otp_reference_id otp_required otp_required_for_login otp_resend otp_resend_after otp_retry_after otp_sent otp_sent_at
        otp_status otp_template otp_template_id otp_type otp_valid otp_validity otp_verified otp_verified_at otpExpiresIn otpLength outcome_code
        output_pin output_token_details output_token_limit output_tokens outputTokenCount outputTokens outside overpass overs Overwrite P3P pace
        pad_token pad_token_id pad_token_side padding padding_token page page_count page_key page_keys page_number page_numbers page_size
        page_token page_token_prev pageSize pageToken pageTokenType pagination_token paginationToken paint_code painting_session
        pairing_session_count pan_angle pan_direction pan_duration pan_enabled pan_gesture pan_left pan_offset pan_position pan_range pan_right
        pan_speed pan_status pan_tilt pan_tilt_zoom pan_x pan_y pan_zoom pancake panel panel_id panel_session panel_title paneling panels
        panelWidth panorama pantone_code pantry pants panX paragraph_sign parallel_sessions param_key params paraphrase parent parent_key
        parents park_pass parking_pass parking_session parking_sign parking_ticket parkingSession parliament_session parliamentary_session
        parser_token part_number participant participants partition_key PartitionKey partitionKey partner_code partnerCode pass_accuracy
        pass_angle pass_assist pass_attempted pass_attempts pass_benefits pass_blocking pass_body_part pass_by_value pass_category pass_color
        pass_completion pass_completions pass_count pass_criteria pass_cross pass_date pass_defense pass_description pass_design pass_direction
        pass_duration pass_end_location pass_event pass_events pass_expiration_date pass_expiry pass_fail pass_fail_status pass_goal_assist
        pass_grade pass_height pass_holder pass_holder_name pass_id pass_id_list pass_image pass_interference pass_kit pass_length pass_level
        pass_location pass_locations pass_map pass_mark pass_mark_percent pass_name pass_network pass_number pass_or_fail pass_outcome
        pass_percentage pass_percentage_required pass_period pass_perks pass_play pass_price pass_probability pass_rate pass_reason
        pass_recipient pass_rush pass_sequence pass_status pass_style pass_switch pass_technique pass_template pass_threshold pass_through
        pass_tier pass_title pass_touchdowns pass_type pass_url pass_validity pass_yards pass_zone pass_zone_count passage passage_id
        passage_text passages passbook_enabled passCompletionRate passed passed_assertions passed_at passed_tests passedCount passenger
        passenger_count passenger_details passenger_id passenger_index passenger_list passenger_manifest passenger_name passenger_type
        passenger_weight passengerCount passengerNames passengers passengerType passer_name passer_rating passers passes passes_attempted
        passes_completed passId passing passing_attempts passing_grade passing_rate passing_score passing_touchdowns passing_yards passion
        passions passive passive_mode passiveVoice passkit_enabled passport_application_status passport_country passport_country_code
        passport_expiration_date passport_expiry passport_expiry_date passport_holder_name passport_index passport_issue_date passport_issued_at
        passport_issuer passport_issuing_country passport_nationality passport_photo passport_required passport_scan_status passport_size_photo
        passport_stamps passport_status passport_type passport_valid_until passportExpiry passportExpiryDate passProgress passRate passThrough
        passthrough passthrough_fee passTier passType passTypeIdentifier password_age password_algorithm password_attempt_count
        password_attempts password_attempts_left password_auth_enabled password_auth_method password_authentication_enabled
        password_change_required password_changed_at password_complexity password_confirmation_required password_enabled password_encoding
        password_error password_errors password_expiration password_expiration_days password_expired password_expires password_expires_at
        password_expires_in_days password_expiry_days password_failed_count password_failure_count password_failures password_field_id
        password_field_name password_form_url password_format password_grant_enabled password_hash_algorithm password_hint_enabled
        password_history_count password_icon password_input_type password_invalid password_label password_last_changed password_last_changed_at
        password_last_updated password_length password_lock_time password_login_enabled password_manager password_manager_enabled
        password_manager_url password_managers password_match password_min_age password_min_digits password_min_length password_min_uppercase
        password_mismatch password_never_expires password_page_title password_placeholder password_policies password_policy password_policy_id
        password_protected password_provider password_require_symbols password_required password_requirements password_requires_uppercase
        password_reset_at password_reset_count password_reset_email_sent password_reset_enabled password_reset_expires password_reset_required
        password_reset_sent_at password_reset_url_path_enabled password_retry_limit password_rules password_score password_sent_at password_set
        password_set_at password_status password_strength password_strength_meter password_strength_score password_toggle password_type
        password_updated_at password_visibility password_visible passwordChangedAt passwordChangeRequired passwordExpirationDate passwordExpired
        passwordExpiresAt passwordHint_enabled passwordLastSet passwordless passwordless_enabled passwordless_login passwordless_methods
        passwordMaxAge passwordMinLength passwordNeverExpires passwordPolicy passwordRequired passwordRequiresDigit passwordResetAt
        passwordResetRequired passwords_match passwordStatus passwordStrength passwordStrengthLabel passwordType past_sessions pastoral path
        path_key pay_code payer_code payload payment payment_code payment_id payment_method payment_status payment_token_symbol payment_type
        payment_type_code paymentCode payments payout peace_sign PEP per_page percent_sign percentSign period permalink Permissions-Policy
        personal_access_token_count personal_access_token_id petition_signature_count phase_code phone phone_code phone_country_code
        phone_number phoneCountryCode phoneNumber photo_session phrase phrase_count phrases physio_session piano_key pickup_pin_location
        PICS-Label pilates_session pin_anchor pin_animation pin_attempts pin_board pin_board_id pin_category pin_chat pin_clicks
        pin_codes_served pin_color pin_comment pin_config pin_count pin_count_total pin_created_at pin_date pin_description pin_diameter
        pin_direction pin_drop pin_duration pin_enabled pin_expires_at pin_header_count pin_high pin_icon pin_id pin_id_list pin_image
        pin_impressions pin_in pin_label pin_lat pin_latitude pin_layout pin_length pin_link pin_lng pin_location pin_longitude pin_map
        pin_mapping pin_marker pin_media pin_message pin_metrics pin_mode pin_mode_output pin_names pin_note pin_note_id pin_number_of_sides
        pin_offset pin_order pin_out pin_pitch pin_position pin_post pin_priority pin_required pin_retries pin_saves pin_scale pin_set pin_shape
        pin_sidebar pin_size pin_size_px pin_state pin_status_bar pin_style pin_tab pin_tags pin_text pin_thread pin_thumbnail pin_time pin_tint
        pin_title pin_to_top pin_tool pin_tries_remaining pin_type pin_type_id pin_until pin_updated_at pin_url pin_user_id
        pin_verification_enabled pin_video pin_voltage pin_x pin_y pinafore pinata pinball pinball_score pinboard pinboardId pinch pinch_zoom
        pincode_label pinColor pinColorHex pineapple pinecone pinewood ping Ping-From Ping-To ping_ms pingback pingpong pinhole pinIcon pinId
        pinion pinky pinnable pinnacle pinned pinned_at pinned_by pinned_comment pinned_comment_id pinned_count pinned_items pinned_message
        pinned_messages pinned_post pinned_repos pinned_tweet_id pinned_until pinned_version pinnedAt pinnedNotes pinning pinot pinout pinpoint
        pinpointed pinPosition pinRequired pins pins_down pins_fallen pinstripe pint pint_size pinterest pinterest_pin_id pinteresting pinto
        pinwheel piny pinyin pipeline pipeline_id pit_id pitch_key pk place_key place_of_service_code place_pin placeholder plan plan_id
        plan_key planKey planning_session plant_code platform platform_code platform_codes platform_number play_session_count player players
        playing_card plenary_session plugin_key pluginKey plus_code plus_sign pluscode plusSign plz pod points policy_code policy_number_format
        poll_key popover popular_tokens port_code port_number portfolio_id Position position position_code position_token position_token_index
        positive_sign post_logout_redirect_uri post_pass postal_code postal_codes postalCode postcard postcode postCodes poster_session
        pound_sign power power_pin practice_session Pragma pre_market_session prefecture_code Prefer Preference-Applied prepass prepass_enabled
        presence_penalty president press_pass prev_cursor prev_key prev_page prev_token previous_cursor previousPageToken prevPageToken price
        price_per_token primary_key primary_keys primaryKey primaryKeyName primaryKeys Priority priority_code priority_pass privacy
        privacy_policy private private_channel private_gists private_ip private_ip_address private_link_enabled private_message private_note
        private_repos private_subnet procedure_code procedure_codes process_key processDefinitionKey processing_code product product_code
        product_id productCode ProfileObject program_code programme_code project_code project_codes project_key projectKey promo_code
        promo_codes promoCode promoCodeCount promotion_code promotionCode prompt prompt_mode prompt_tokens prompt_tokens_details
        promptTokenCount promptTokensDetails properties property_code property_key propertyKey Protocol Protocol-Query provider_code
        province_code Proxy-Authenticate Proxy-Features Proxy-Instruction Proxy-Status pt_session_length pub_key pubKey pubkey Public public
        Public-Key-Pins Public-Key-Pins-Report-Only public_api_key_name public_key public_key_algorithm public_key_base64 public_key_fingerprint
        public_key_hex public_key_id public_key_jwk public_key_pem public_keys public_repos public_url publicKey publicKeyPem publishable_key
        publishableKey published pull_number punctuation_token Purpose push_pin pushpin pwdHistoryLength pwdLastSet pwdProperties q
        q_and_a_session qna_session qr_code_size qr_code_url_template qrcode_width qrCodeSize qualifying_session quality_pass quantity quarter
        query query_key query_key_value query_token_offset query_tokens queryKey question_code queue_key queue_pass quick_pass quote_token
        race_session rack_code radio radiotherapy_session radius rail_pass random_number random_seed randomSeed Range range_key rank rate_code
        rate_plan rate_plan_code Ratelimit-Policy rating ratings read_at read_capacity_units read_count read_time readme reason_code reasonCode
        reasonCodes reasoning_tokens recaptcha_site_key receipt_number recent_sessions recipient recipient_public_key recipients record_key
        recording_session recordKey recovery_email recovery_email_address recovery_mode recovery_phone recovery_phrase_count recovery_point
        recovery_rate recovery_rate_percent recovery_status recovery_time red_cards red_pin redesign Redirect-Ref redirect_uri redirectUri
        redis_key_pattern redis_key_prefix ref ref_code ref_key refCode reference_key reference_number referenceKey Referer
        referral_code_enabled Referrer-Policy Refresh refresh_token_enabled refresh_token_expires_at refresh_token_expires_in
        refresh_token_expiry_date refresh_token_lifetime refresh_token_policy refresh_token_rotation refresh_token_ttl refresh_token_url
        refreshTokenExpiresIn refund refund_id region region_code region_key region_name regionKey reign rejected_prediction_tokens rel_key
        relation_key relationKey relationship_code relay_pin release_code remaining_spins render_pass Repeatability-Client-ID
        Repeatability-First-Sent Repeatability-Request-ID Repeatability-Result Replay-Nonce replicas replies reply_to repo_key Report-To
        report_card report_key Reporting-Endpoints reportKey Repr-Digest requested_token_type require_password require_password_change
        require_symbols resCode reservation_number reset_at reset_count reset_date reset_interval reset_password_sent_at reset_period
        reset_pin_mode reset_required reset_type reset_url_template residence resident resignation resignation_date resigned resigned_at
        resignReason resigns resource_key respin response_code response_codes response_mode response_type responseCode result_code resume_token
        resume_token_after resumeToken resx_key ret_code retCode retcode retro_session Retry-After return_code return_key returnCode
        returnKeyType revenue_code review_pass reviews revision reward_token reward_tokens rgb_code ride_session right rising_sign road_sign
        robin_spin rolling_pin room_code_name room_id room_key_name room_number room_numbers room_type_code rooms root root_cause root_dir
        root_id root_node root_url rotation route route_code route_key routeKey routing_engine routing_key routing_mode routing_number_status
        routing_policy routing_profile routing_profile_id routing_rules routing_slip routing_status routing_status_code routing_strategy
        routing_table routing_table_id routing_type routingKey row row_key row_key_prefix row_keys row_number RowKey rowKeys rows rspCode RTT
        rule_key ruleKey runner runner_id running_session runs rx_pin rxnorm_code s3_bucket_key_enabled s3_key s3_key_prefix s3_object_key s3Key
        Safe safety_pin safety_sign sale_code salt_level saltiness saml_acs_url saml_audience saml_enabled saml_entity_id saml_group_name
        saml_idp saml_issuer saml_metadata_url saml_provider saml_sso_url saml_version samlIdentityProvider samlProviderName sandwich
        sanity_pass sas_enabled sas_expiry sas_permissions sas_policy sas_version saskatchewan sasquatch Save-Data scac_code scale schedule
        Schedule-Reply Schedule-Tag school_code school_session schoolCode scl_pin scope scopes score score_away score_card score_home scorecard
        screen_key script_code scroll_id scroll_token sd_card sd_card_free sda_pin sdk_code search search_phrase search_term search_token_cursor
        searchQuery season season_code season_number season_pass seasonPass seat seat_code seat_number seatNumber Sec-CH-Device-Memory
        Sec-CH-Prefers-Color-Scheme Sec-CH-UA Sec-CH-UA-Mobile Sec-CH-UA-Platform Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User
        Sec-GPC Sec-Purpose Sec-WebSocket-Accept Sec-WebSocket-Extensions Sec-WebSocket-Key Sec-WebSocket-Protocol Sec-WebSocket-Version
        second_pass secret_admirer secret_agent secret_alert_count secret_alerts secret_area secret_arn secret_backend secret_ballot secret_boss
        secret_count secret_created_at secret_ending secret_engine secret_engine_type secret_expiration secret_expires_at secret_expiry
        secret_garden secret_id_bound_cidrs secret_id_num_uses secret_id_ttl secret_identity secret_ingredient secret_key_id secret_key_length
        secret_key_name secret_key_ref_name secret_key_version secret_lair secret_last_rotated secret_length_min secret_level secret_manager
        secret_menu secret_mission secret_name secret_namespace secret_path secret_path_prefix secret_provider secret_provider_class
        secret_question_id secret_recipe secret_room secret_rotation secret_rotation_days secret_santa secret_scanning secret_scanning_alerts
        secret_scanning_enabled secret_scanning_push_protection secret_service secret_shopper secret_status secret_store secret_store_ref
        secret_type secret_type_id secret_version secret_version_id secret_weapon secretariat secretArn secretary secretary_general
        secretary_name secretaryEmail secretion secretion_rate secretive secretKeyName secretly secretManager secretName secretNamespace
        secretPath secretProviderClass secretRef_name secrets_count secrets_detected secrets_inherit_mode secrets_manager secrets_url
        secretSantaDate secretStoreRef secretType section_key section_sign sectionKey securities Security-Scheme security_advisories
        security_alert security_alerts security_code_scanning_enabled security_contact security_cusip security_deposit security_exchange
        security_group security_group_id security_groups security_headers security_isin security_level security_name security_patch_level
        security_policy security_protocol security_question_id security_rating security_risk security_score security_settings security_status
        security_symbol security_type security_type_id security_updates seed seed_value_int seedFunding seeding_ratio seedRound seeds
        segment_code select self_key semantic_tokens semantic_tokens_legend semanticTokens senate_session sender senior_pass sensor_pin
        sentence_tokens sentry-trace sep_token separator_token sequence_number sequenceNumber serial_number series_key seriesKey Server server
        Server-Timing server_id server_name server_port server_public_key server_region server_time server_url server_version serverName service
        Service-Worker Service-Worker-Allowed Service-Worker-Navigation-Preload service_code service_fee service_id service_name service_status
        service_type service_type_code service_url serviceCode serviceName services servo_pin session_abstract session_affinity
        session_attendees session_based session_bonus session_browser session_calories session_campaign session_capacity session_catalog
        session_close_price session_coach session_config session_cost session_count session_country session_date session_date_time session_day
        session_device session_distance session_duration session_end session_ended_at session_engaged session_engine session_expires_at
        session_expiry session_fee session_feedback session_focus session_format session_gap session_goal session_goals session_high
        session_host session_host_name session_index session_instructor session_items session_keys_count session_kind session_label
        session_leader session_length session_length_minutes session_level session_level_id session_limit_minutes session_location session_low
        session_medium session_minutes session_mode session_month session_name session_notes session_number session_open_price session_os
        session_outcome session_plan session_platform session_points session_price session_progress session_quality session_rating
        session_recording_enabled session_recording_url session_replay session_replay_enabled session_result session_results session_reward
        session_room session_score session_seconds session_seq session_slides session_source session_speaker session_speakers session_start
        session_started_at session_state session_status session_steps session_streak session_summary session_tags session_theme session_time
        session_timeout session_title session_title_color session_topic session_total session_track session_trainer session_ttl session_type
        session_type_id session_version session_volume session_week session_window sessionAttendance sessionCount sessionCounts
        sessionCountTotal sessionDuration sessionDurationAvg sessionFactory sessionName sessionPersistence sessionReminders sessions
        sessions_attended sessions_completed sessions_count sessions_per_user sessions_remaining sessions_today sessionSpeakers sessionStart
        sessionState sessionTimeout sessionTimeoutMinutes sessionType set_cookie_domain SetProfile setting_key settings severity_code
        severity_key sha sha1 sha256 shadow shadow_pass shard_iterator_token_position shard_key sharding_key shardKey share_code_type share_name
        shared shared_at shared_drive shared_with sharedWithMe shares shelf_code shift_code shift_key shiftKey shipping shipping_address
        shipping_code shipping_method shop_sign shopping shopping_session short_code short_pass shortCode shortcode shortcodes_enabled
        shortcut_key show_password showPassword sic_code sid_length sidebar sidecar sidewalk sidney sig_figs sigh sight sigma sign_bit
        sign_category sign_change sign_color sign_convention sign_count sign_date sign_extension sign_flip sign_height sign_here_tabs sign_in
        sign_in_at sign_in_audience sign_in_count sign_in_date sign_in_ip sign_in_method sign_in_names sign_in_page sign_in_provider
        sign_in_required sign_in_url sign_in_with_apple_enabled sign_language sign_location sign_magnitude sign_message_text sign_of_the_times
        sign_off sign_off_by sign_off_date sign_on_bonus sign_on_url sign_order sign_out sign_out_url sign_page sign_position sign_post
        sign_required sign_status sign_test_result sign_text sign_type sign_up sign_up_count sign_up_date sign_up_source sign_ups
        sign_url_expiry signage signal signal_code signal_strength signal_type signal_value signaling signalQuality signals signatory
        Signature-Input signature_algorithm signature_block signature_color signature_count signature_date signature_dish signature_dish_name
        signature_dishes signature_drink signature_expiration signature_expires_at signature_font signature_image_url signature_line
        signature_method signature_move signature_pad_enabled signature_page signature_position signature_provider signature_request_id
        signature_request_status signature_requests signature_required signature_scent signature_sound signature_status signature_status_text
        signature_style signature_text_color signature_threshold signature_type signature_valid signature_verified signature_version
        signatureAlgorithm signatureCount SignatureMethod signatureMethod signatureRequired signatures_count signatures_needed
        signatures_required signatureValid signatureVerified SignatureVersion signed signed_at signed_by signed_by_user signed_contract_date
        signed_distance signed_headers signed_in signed_in_at signed_out signedAt signedIn signedness signer signer_name signers signHereTabs
        significance significant significant_figures signin signInActivity signInAudience signInCount signing_algorithm signing_date
        signing_key_id signing_method signing_order signing_order_index signing_region signing_status signing_url_expiry_minutes signingOrder
        signInProvider signInUrl signLanguage signLanguageUsers signoff signOffStatus signOnMethod signout signOutUrl signpost signRequired
        signUp signup signup_date signup_method signup_source signUpDate signups sim_card_type simulator_session since single_pass site_code
        site_key siteCode sitekey size size_code ski_pass skill_code skip_special_tokens skip_token skipass_price skiptoken sku sku_code
        sku_codes slider slot_key slotKey SLUG slug smoke_pass smoothing_pass snomed_code SoapAction social_accounts social_handles social_image
        social_links social_login social_media social_network social_profile social_profiles social_proof social_score social_security_benefits
        social_security_office_address social_share socialite song_key song_key_mode sort sort_by sort_by_key sort_direction sort_key
        sort_key_attribute sort_keys sort_order sortBy sorting_key sortKey sortkey sortOrder sound_card source_code source_code_url sourceCode
        SourceMap sovereign space_key space_key_name spaceKey spacing_token span spans spawned spdx_license special_token special_tokens
        special_tokens_map specialty_code Speculation-Rules speed speed_pass speed_sign spider_pin_count spin spin_count spin_rate spin_speed
        spinCount spinner spinning spins split_key spring_session sprint_session SSEKMSKeyId ssh_key_fingerprint ssh_key_id ssh_key_name
        ssh_public_key ssh_public_keys sshPublicKey ssn_format ssn_last4_required ssn_last_four_required ssn_provided ssn_required ssn_status
        ssn_verified sso_domain sso_enabled sso_provider sso_required sso_status sso_type sso_url stable_token staff_code stage star_sign
        start_after start_cursor start_key start_page_token start_token StartAfter started_at starting_after starting_token StartingToken
        startingToken startKey startPageToken state state_code state_key stateCode stateKey statement_descriptor station_code status Status-URI
        status_code status_codes status_key statusCode statusCodeText statusKey step_key stepKey steps stock stock_symbol stockton stop
        stop_code stop_codes stop_id stop_sequences stop_sign stop_token stop_token_ids stop_token_text stop_tokens stopCode stops storage
        storage_class storage_key_prefix storage_limit storage_location storage_used store_code store_pin storeCode street street_number
        street_sign Strict-Transport-Security strike_pins string_key stringKey Stripe-Account Stripe-Version student_number student_pass
        study_session study_session_id style_code style_tokens sub_code sub_region_code subCode subdivision_code subject subject_code
        subject_token_type subnet_id subscription subscription_id subscription_plan subscription_status subscription_type subscriptionId
        subscriptions subsidy subtotal subword_tokens sugar_cookie suite summary summer_session summer_session_start sun_sign Sunset
        supplier_code support_ticket Supports-Loading-Mode suppress_tokens surfing_session surpass Surrogate-Capability Surrogate-Control
        surrogate_key SurrogateId survey_code_name svix-id svix-timestamp swift_code swimming_session symptom_sign syncToken syntax_token
        system_prompt system_tokens tab tab_key tab_keys tabKey table_key table_keys table_session_size tabs tag tag_key tagKey tagKeys tags
        tail_pin tailspin taken tariff_code tarot_card task_code task_key taskDefinitionKey taskKey tasting_session tax tax_amount tax_category
        tax_class tax_code tax_code_id tax_country tax_document_url tax_exempt tax_form_type tax_forms tax_free tax_id_collection tax_id_country
        tax_id_type tax_id_types tax_id_verified tax_ids_count tax_ids_enabled tax_included tax_info_status tax_jurisdiction tax_lines tax_name
        tax_number_label tax_rate tax_registration_country tax_registration_status tax_status tax_total tax_type tax_withheld tax_year taxable
        taxi_number_plate taxIdType taxonomies taxonomy taxonomy_id taxRate taxRatePercent TCN TE teaching_credential_type team team_id
        team_name teamId teams temperature template_code template_key templateKey ten_pin tenpin terminal terminal_code termination_code
        test_code test_name test_status tests_passed text text_align text_key text_token text_tokens textKey theme theme_key theme_tokens
        therapy_session thinking_tokens third_party_cookies_blocked thoughts_token_count thread_id thread_key three_pass through_passes
        thumbnail thumbs_up_sign ticket_category ticket_class ticket_count ticket_description ticket_form_id ticket_id ticket_key ticket_name
        ticket_number ticket_price ticket_priority ticket_status ticket_subject ticket_type ticket_url ticketId ticketNumber tickets
        tickets_sold ticketType tie_pin tile_key time time_signature time_to_first_token time_zone_code Timeout timeSignature timestamp timezone
        timezone_code Timing-Allow-Origin tin_can tincture title title_code title_key titleKey Tk to to_address to_currency_code to_key to_token
        toggle token_a token_abilities token_account token_account_balance token_accounts token_address token_age token_allocation token_amount
        token_audience token_balance token_balances token_bucket token_bucket_size token_budget token_burn token_categories token_category
        token_chain token_chain_id token_class token_client_id token_col token_color token_contract token_cost token_costs token_count
        token_counts token_created token_created_at token_creator token_credits token_decimals token_description token_device_name
        token_distribution token_diversity token_efficiency token_embeddings token_end token_endpoint token_endpoint_auth_method token_error
        token_estimate token_exchange_enabled token_expiration token_expire_time token_expires token_expires_at token_expires_in_seconds
        token_expiry token_family token_filter token_for_next_page token_format token_freq token_frequency token_healing token_holders
        token_holders_count token_icon token_id token_ids token_image token_image_url token_in token_index token_info_url
        token_introspection_endpoint token_ip token_is_verified token_issued_at token_issuer token_kind token_label token_label_color
        token_last_used_at token_latency token_launch token_launch_date token_length token_lifetime token_limit token_line token_liquidity
        token_list token_logo token_logprobs token_market_cap token_max_age token_metadata token_mint token_mint_address token_name
        token_network token_next token_offsets token_out token_overlap token_owner token_owners token_package token_packs token_permissions
        token_pool token_pools token_pos token_prefix token_price token_price_usd token_pricing token_prob token_probs token_program
        token_program_id token_project token_provider token_quantity token_query token_rank token_rate token_refill_rate token_refresh_interval
        token_renewal_period token_reuse_count token_revocation_endpoint token_revoked token_revoked_at token_ring_size token_rotation_enabled
        token_sale token_sale_start token_scope token_scopes token_scopes_list token_score token_search token_security_score
        token_sequence_length token_service_url token_shape token_sort token_source token_span token_standard token_standard_name token_start
        token_status token_status_code token_storage token_store token_stream_size token_suffix token_supply token_swap token_swap_rate
        token_symbol token_symbol_lower token_tags token_text_length token_throughput token_transfer_fee token_transfers token_ttl token_type
        token_type_hint token_type_ids token_updated_at token_uri token_uri_base token_url token_usage token_use token_user_id token_valid_until
        token_validity_seconds token_value_usd token_vector token_verified token_version token_vesting token_vocab token_vocabulary token_volume
        token_volume_24h token_website token_weight token_weights token_window tokenAddress tokenAmount tokenBalanceUsd tokenBucket tokenClass
        tokenCount tokenCountTotal tokenDecimals tokenEndpoint tokenExpiresAt tokenExpiry tokenIcon tokenId tokenIds tokenIn tokenization
        tokenize tokenized_length tokenized_text tokenizer tokenizer_class tokenizer_config tokenizer_file tokenizer_name tokenizer_truncation
        tokenizerVersion tokenLimit tokenName tokenOut tokenPriceUsd tokens_allocated tokens_awarded tokens_burned tokens_cached tokens_consumed
        tokens_cost tokens_count tokens_earned tokens_evaluated tokens_generated tokens_in tokens_in_flight tokens_left tokens_limit
        tokens_limit_daily tokens_locked tokens_minted tokens_out tokens_per_batch tokens_per_chunk tokens_per_day tokens_per_min
        tokens_per_minute tokens_per_sample tokens_per_second tokens_per_user tokens_predicted tokens_processed tokens_purchased
        tokens_remaining tokens_reset_at tokens_saved tokens_sold tokens_spent tokens_staked tokens_total tokens_total_supply tokens_unlocked
        tokens_used tokensIn tokensOut tokensPerMinute tokensUsed tokenSymbol TokenType tokenType tokenTypeName tokenUrl tokenUsage tokyo
        tool_use_prompt_token_count tooltip top top_k top_p top_secret top_tokens Topic topic_key topicKey topspin total total_count total_pages
        total_price total_sessions total_tokens totalCount totalPages totalSessions totalTokenCount totp_algorithm totp_digits totp_enabled
        totp_issuer totp_period totp_verified tourist_pass Traceparent Tracestate track_number tracking_code tracking_id tracking_number
        trackingCode trackingNumber trading_card trading_session trading_session_open traffic_sign Trailer train_number train_ticket
        training_session training_session_id training_session_type training_sessions_count trainingSession transaction transaction_code
        transaction_id transaction_type transactionId Transfer-Encoding transform transit_pass translation_key translation_keys transparent_pass
        travel_pass tree trello_card trending_tokens trespass trial_end trial_pass trigger_pin trip_id trouble_code truncate_prompt_tokens TTL
        turkey tutor_session tutoring_session two_factor_auth_enabled two_factor_confirmed_at two_factor_enabled two_factor_enforced
        two_factor_method two_factor_methods two_factor_provider two_factor_required two_factor_requirement two_factor_status two_factor_type
        two_pass twoFactorEnabled twoFactorMethod tx_pin typ type type_code type_key type_signature typeCode typeface typeKey typography_tokens
        underpass unicode unique_key unique_keys unique_tokens uniqueKey unit_code unk_token unknown_token unpinned unpinnedCount until uom_code
        upc_code upcoming_sessions updated_at updatedAt Upgrade Upgrade-Insecure-Requests uptime Urgency URI url usd_per_token Use-As-Dictionary
        use_password usePasswordAuth User-Agent user_agent user_code_length user_code_style user_count user_created_at user_email user_group
        user_id user_key user_locale user_must_change_password user_name user_role user_status user_tokens_count user_type userAgent userId
        userinfo_endpoint userName username users utility_token utm_code uuid vaccine_pass vacuum validator_pubkey value value_key valueKey
        values vapid_public_key variant Variant-Vary variant_key variants variation_key Vary vat_code vehicle vehicle_code vehicle_id
        vendor_code verification_count verification_date verification_documents verification_email_sent verification_expires_at
        verification_id_type verification_level verification_method verification_pass_rate verification_public_key verification_required
        verification_required_at verification_result verification_status verification_type verification_uri verification_uri_complete_supported
        verificationStatus verificationStatusText verified verified_at verifiedAt version version_code version_number versionCode vessel_code
        Via victory_sign video_tokens view_key_name viewer_id viewing_session viewKey Viewport-Width views vip_pass virtual_queue_pass visible
        visitor_pass vital_sign vital_sign_type vital_signs vocab_size vocabulary_tokens voting_session voucher_type vpc_id vr_session wallet
        wallet_address wallet_balance wallet_id wallet_public_key wallet_type walletAddress walletAddressType walletBalance wallets
        Want-Content-Digest Want-Repr-Digest warehouse warehouse_code Warning warning_sign watch_party_session watch_token wayfinding_sign
        weather_code webflow_site_id webhook-id webhook-timestamp webhook_enabled webhook_events webhook_id webhook_name webhook_status
        webhook_token_header_name webhooks_count weekend_pass weekly_pass weight western_sign where whiskey whitespace_token whole_number
        wickets widget widget_key widgets Width width wildcard wins winter_session with_credentials withCredentials word_tokens workflow_key
        workout_session workout_session_id workshop_session write_capacity_units write_concern WWW-Authenticate x X-Accel-Buffering
        X-Accel-Redirect X-Accepted-OAuth-Scopes X-Amz-Algorithm x-amz-bucket-region x-amz-cf-id x-amz-cf-pop X-Amz-Content-Sha256 X-Amz-Date
        X-Amz-Expires x-amz-id-2 x-amz-request-id x-amz-server-side-encryption x-amz-server-side-encryption-customer-algorithm
        X-Amz-SignedHeaders x-amz-storage-class x-amz-version-id x-amzn-ErrorType x-amzn-RequestId X-Amzn-Trace-Id X-Api-Key-Id X-Api-Key-Name
        X-Api-Version X-App-Id X-App-Version X-Att-Deviceid-Hash-Mode X-Auth-Method X-Auth-Request-Email X-Auth-Request-Groups
        X-Auth-Request-User X-Auth-Scheme X-Auth-Type X-B3-SpanId X-B3-TraceId X-Backend-Server X-Cache X-Cache-Hits X-Cache-Key X-Cache-Lookup
        X-Client-Name x-client-trace-id X-Client-Version X-Cloud-Trace-Context X-Content-Type-Options X-Cookie-Consent X-Correlation-Context
        X-Correlation-ID x-datadog-parent-id x-datadog-sampling-priority x-datadog-trace-id X-Device-Model X-DNS-Prefetch-Control
        X-Download-Options X-Drupal-Cache X-Dynatrace-Origin X-Envoy-Upstream-Service-Time X-Event-Key X-Event-Name X-Forwarded-Email
        X-Forwarded-For X-Forwarded-Groups X-Forwarded-Host X-Forwarded-Port X-Forwarded-Prefix X-Forwarded-Proto X-Forwarded-User
        X-Frame-Options X-Generator X-GitHub-Api-Version X-GitHub-Delivery X-GitHub-Event X-GitHub-Media-Type X-GitHub-Request-Id X-Gitlab-Event
        X-Goog-Algorithm X-Goog-Date X-Goog-Expires X-Goog-FieldMask x-goog-generation x-goog-hash x-goog-metageneration X-Goog-SignedHeaders
        x-goog-stored-content-length X-Goog-User-Project X-Hook-UUID X-HTTP-Method-Override X-Hub-Topic X-Idempotency-Key X-Kong-Request-Id
        X-Kong-Upstream-Latency X-Litespeed-Cache X-Locale X-Magento-Cache-Debug X-Mfa-Required X-Mod-Pagespeed X-Moz x-ms-activity-id
        x-ms-blob-type x-ms-client-request-id X-Ms-Client-Session-Time x-ms-continuation x-ms-date x-ms-documentdb-partitionkey x-ms-lease-id
        x-ms-request-id x-ms-session-consistency x-ms-version X-Next-Page X-Nf-Request-Id X-OAuth-Scopes X-Operamini-Features X-Organization-Id
        X-Original-Method X-Original-URI X-OS-Version x-oss-object-type x-oss-request-id X-Otp-Required X-Page X-Password-Expires
        X-Password-Policy X-Per-Page X-Permitted-Cross-Domain-Policies X-Pin-Required X-Pingback X-Platform X-Powered-By X-Prev-Page
        X-Project-Id X-Purpose X-Pusher-Key-Name X-Queue-Time X-Quota-Remaining X-Rate-Limit-Interval X-RateLimit-Limit x-ratelimit-limit-tokens
        X-RateLimit-Remaining x-ratelimit-remaining-tokens X-RateLimit-Reset x-ratelimit-reset-tokens X-Real-IP X-Remote-User X-Request-Id
        X-Request-Start X-Requested-With X-Robots-Tag X-Runtime X-Sendfile-Type X-Sentry-Trace X-Served-By X-Session-Count X-Session-Duration
        X-Shopify-Api-Version X-Shopify-Shop-Domain X-Shopify-Topic X-Signature-Algorithm X-Signature-Method X-Signature-Timestamp
        X-Signature-Version X-Slack-Request-Timestamp X-Slack-Retry-Num X-Span-Id X-Stripe-Version X-Tenant-Id X-Timer X-Timezone
        X-Token-Expires X-Token-Expires-In X-Token-Type X-Total-Count X-Trace X-Turbo-Charged-By X-Two-Factor-Required X-Tyk-Trace
        X-UA-Compatible X-Varnish X-Vercel-Id X-Wap-Profile X-Webhook-Attempt X-Webhook-Id X-Webhook-Timestamp X-WP-Total X-WP-TotalPages
        X-XSS-Protection y yard_sign yellow_cards yield_sign yoga_session yoga_sessions z z_index zendesk_ticket_id zip zip_code zip_code_prefix
        zip_codes zipCode zipcode zipCodePrefix zipCodes zodiac_sign zodiacSigns zone zone_code zoneCode
        """#.split(whereSeparator: \.isWhitespace).map(String.init)
}
