/// The prefixes of keys that large providers issue, as they document them for secret scanners.
enum ProviderPrefixes {
    /// Each prefix with the smallest number of characters after it. Those of `loose` need a digit
    /// among them, and must not be followed by words.
    private static let strict: StaticString = """
        AKIA:16 ASIA:16 ABIA:16 ACCA:16 AIza:30 ya29.:20 GOCSPX-:20 1//0:30 ghp_:20 gho_:20 ghu_:20 ghs_:20 ghr_:20 github_pat_:20 \
        glpat-:16 gldt-:16 glptt-:16 glrt-:16 glft-:16 glsoat-:16 glcbt-:16 glimt-:16 glagent-:16 gloas-:16 GR1348941:16 xoxa-:10 xoxb-:10 \
        xoxp-:10 xoxr-:10 xoxs-:10 xoxe-:10 xoxe.:10 xoxc-:10 xoxd-:10 xoxo-:10 xapp-:10 sk_live_:8 sk_test_:8 rk_live_:8 rk_test_:8 \
        whsec_:10 sk-proj-:16 sk-svcacct-:16 sk-admin-:16 sk-ant-:12 sk-or-v1-:16 pypi-:30 shpat_:20 shpca_:20 shppa_:20 shpss_:20 \
        shptka_:20 dop_v1_:20 doo_v1_:20 dor_v1_:20 sq0atp-:20 sq0csp-:20 sq0idp-:20 dp.pt.:20 dp.st.:20 lin_api_:20 \
        hvs.:20 hvb.:20 hvr.:20 NRAK-:15 glsa_:20 sntrys_:20 sntryu_:20 pscale_tkn_:20 pscale_pw_:20 pscale_oauth_:20 \
        PMAK-:20 HRKU-:20 sb_secret_:16 dckr_pat_:16 dt0c01.:20 EZAK:40 EZTK:40 fio-u-:30 duffel_live_:20 \
        duffel_test_:20 ATATT3:30 ATCTT3:30 LTAI:16 AKID:28 AGE-SECRET-KEY-1:40 CFPAT-:30 gsk_:30 lsv2_:20 \
        xkeysib-:30 xsmtpsib-:30 tskey-:16 ops_eyJ:20 AKCp:40 bkua_:30 CCIPAT_:20 rzp_live_:10 rzp_test_:10 FLWSECK:12 \
        access-sandbox-:30 access-production-:30 shippo_live_:30 shippo_test_:30 hooks.slack.com/services/:10 \
        discord.com/api/webhooks/:10 discordapp.com/api/webhooks/:10
        """
    private static let loose: StaticString = """
        sk-:20 hf_:20 re_:20 SG.:30 key-:30 dapi:32 SK:32 EAA:60 api_org_:20 fw_:20 p8e-:30 sk.eyJ:20 npm_:20 rubygems_:20 pul-:40 secret_:40 sgp_:30 \
        tfp_:30 r8_:30 glc_:20 sbp_:20 ntn_:24 figd_:20 xai-:40 pplx-:30
        """

    struct Prefix: Sendable {
        let bytes: [UInt8]
        let tail: Int
        let needsDigit: Bool
    }

    /// The prefixes by first byte.
    static let table: [[Prefix]] = {
        var table = [[Prefix]](repeating: [], count: 128)
        for (list, needsDigit) in [(strict, false), (loose, true)] {
            for entry in list.description.split(separator: " ") {
                guard let colon = entry.lastIndex(of: ":"), let tail = Int(entry[entry.index(after: colon)...]) else { continue }
                let bytes = Array(entry[..<colon].utf8)
                table[Int(bytes[0])].append(Prefix(bytes: bytes, tail: tail, needsDigit: needsDigit))
            }
        }
        return table
    }()
}
