import Foundation
import Testing

@testable import TarmacJSON

/// Every class of text the public JSONTestSuite (nst, "Parsing JSON is a minefield") knows, under its names, with texts of our
/// own: y must be accepted, n must be refused, i is left to the parser and stated here.
@Suite struct GrammarTests {
    typealias Row = (name: String, text: [UInt8])

    private static func rows(_ table: KeyValuePairs<String, String>) -> [Row] { table.map { ($0.key, Array($0.value.utf8)) } }

    static let mustAccept: [Row] =
        rows([
            "array_arraysWithSpaces": "[[]   ]", "array_empty-string": "[\"\"]", "array_empty": "[]", "array_ending_with_newline": "[\"end\"]\n",
            "array_false": "[false]", "array_heterogeneous": "[null, 2, \"x\", {}]", "array_null": "[null]",
            "array_with_1_and_newline": "[3\n]", "array_with_leading_space": " [4]", "array_with_several_null": "[5,null,null,null,6]",
            "array_with_trailing_space": "[7] ", "number": "[123.5e64]", "number_0e+1": "[0e+2]", "number_0e1": "[0e3]",
            "number_after_space": "[ 8]", "number_double_close_to_zero": "[-0.00000000000000000000000000000000000000000000000000007]",
            "number_int_with_exp": "[30e1]", "number_minus_zero": "[-0]", "number_negative_int": "[-321]", "number_negative_one": "[-1]",
            "number_negative_zero": "[-0.0]", "number_real_capital_e": "[2E21]", "number_real_capital_e_neg_exp": "[2E-3]",
            "number_real_capital_e_pos_exp": "[2E+3]", "number_real_exponent": "[321e44]", "number_real_fraction_exponent": "[321.654e77]",
            "number_real_neg_exp": "[2e-3]", "number_real_pos_exponent": "[2e+3]", "number_simple_int": "[321]", "number_simple_real": "[321.654987]",
            "object": #"{"one":"two","three":"four"}"#, "object_basic": #"{"one":"two"}"#, "object_duplicated_key": #"{"k":1,"k":2}"#,
            "object_duplicated_key_and_value": #"{"k":1,"k":1}"#, "object_empty": "{}", "object_empty_key": #"{"":1}"#,
            "object_escaped_null_in_key": #"{"a\u0000b":1}"#, "object_extreme_numbers": #"{"low":-2.5e+29,"high":2.5e+29}"#,
            "object_long_strings": #"{"a":[{"id":"\#(String(repeating: "y", count: 50))"}],"id":"\#(String(repeating: "y", count: 50))"}"#,
            "object_simple": #"{"a":[]}"#, "object_string_unicode": #"{"t":"\u041f\u0440\u0438"}"#, "object_with_newlines": "{\n\"a\":\n1\n}",
            "string_1_2_3_bytes_UTF-8_sequences": #"["\u0061\u013c\u1235"]"#, "string_accepted_surrogate_pair": #"["\ud83d\ude04"]"#,
            "string_accepted_surrogate_pairs": #"["\ud83d\ude04\ud83d\udc7d"]"#, "string_allowed_escapes": #"["\"\\\/\b\f\n\r\t"]"#,
            "string_backslash_and_u_escaped_zero": #"["\\u0000"]"#, "string_backslash_doublequotes": #"["\""]"#, "string_comments": #"["x/*y*/z//w"]"#,
            "string_double_escape_a": #"["\\b"]"#, "string_double_escape_n": #"["\\t"]"#, "string_escaped_control_character": #"["\u0013"]"#,
            "string_escaped_noncharacter": #"["\uFFFF"]"#, "string_in_array": #"["word"]"#, "string_in_array_with_leading_space": #"[ "word"]"#,
            "string_last_surrogates_1_and_2": #"["\uDBFF\uDFFF"]"#, "string_nbsp_uescaped": #"["a\u00A0b"]"#,
            "string_nonCharacterInUTF-8_U+10FFFF": "[\"\u{10FFFF}\"]", "string_nonCharacterInUTF-8_U+FFFF": "[\"\u{FFFF}\"]",
            "string_null_escape": #"["\u0000"]"#, "string_one-byte-utf-8": #"["\u002d"]"#, "string_pi": "[\"π\"]",
            "string_reservedCharacterInUTF-8_U+1BFFF": "[\"\u{1BFFF}\"]",
            "string_simple_ascii": #"["def "]"#, "string_space": "\" \"", "string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF": #"["\uD834\uDD1E"]"#,
            "string_three-byte-utf-8": #"["\u0822"]"#, "string_two-byte-utf-8": #"["\u0124"]"#, "string_u+2028_line_sep": "[\"\u{2028}\"]",
            "string_u+2029_par_sep": "[\"\u{2029}\"]", "string_uEscape": #"["\u0062\u30af\u30ea\u30b9"]"#, "string_uescaped_newline": #"["a\u000Ab"]"#,
            "string_unescaped_char_delete": "[\"\u{7F}\"]", "string_unicode": #"["\uA66E"]"#, "string_unicodeEscapedBackslash": #"["\u005C"]"#,
            "string_unicode_2": "[\"⍃㈵⍃\"]", "string_unicode_U+10FFFE_nonchar": #"["\uDBFF\uDFFE"]"#, "string_unicode_U+1FFFE_nonchar": #"["\uD83F\uDFFE"]"#,
            "string_unicode_U+200B_ZERO_WIDTH_SPACE": #"["\u200B"]"#, "string_unicode_U+2064_invisible_plus": #"["\u2064"]"#,
            "string_unicode_U+FDD0_nonchar": #"["\uFDD0"]"#, "string_unicode_U+FFFE_nonchar": #"["\uFFFE"]"#,
            "string_unicode_escaped_double_quote": #"["\u0022"]"#, "string_utf8": "[\"€𝄞\"]", "string_with_del_character": "[\"b\u{7F}b\"]",
            "structure_lonely_false": "false", "structure_lonely_int": "24", "structure_lonely_negative_real": "-0.2", "structure_lonely_null": "null",
            "structure_lonely_string": "\"word\"", "structure_lonely_true": "true", "structure_string_empty": "\"\"",
            "structure_trailing_newline": "[\"b\"]\n", "structure_true_in_array": "[true]", "structure_whitespace_array": " [] ",
            "structure_all_whitespace": "\t\n\r [\t\n\r 1\t\n\r ,\t\n\r {\t\n\r \"a\"\t\n\r :\t\n\r null\t\n\r }\t\n\r ]\t\n\r ",
        ])

    static let mustRefuse: [Row] =
        rows([
            "array_1_true_without_comma": "[2 true]", "array_colon_instead_of_comma": "[\"\": 2]", "array_comma_after_close": "[\"\"],",
            "array_comma_and_number": "[,2]", "array_double_comma": "[2,,3]", "array_double_extra_comma": "[\"a\",,]", "array_extra_close": "[\"a\"]]",
            "array_extra_comma": "[\"\",]", "array_incomplete": "[\"a\"", "array_incomplete_invalid_value": "[y", "array_inner_array_no_comma": "[4[5]]",
            "array_items_separated_by_semicolon": "[2:3]", "array_just_comma": "[,]", "array_just_minus": "[-]", "array_missing_value": "[   , \"\"]",
            "array_newlines_unclosed": "[\"b\",\n5\n,2,", "array_number_and_comma": "[2,]", "array_number_and_several_commas": "[2,,]",
            "array_spaces_vertical_tab_formfeed": "[\"\u{B}b\"\\f]", "array_star_inside": "[*]", "array_unclosed": "[\"\"",
            "array_unclosed_trailing_comma": "[2,",
            "array_unclosed_with_new_lines": "[2,\n2\n,2", "array_unclosed_with_object_inside": "[{}", "incomplete_false": "[fal]", "incomplete_null": "[nu]",
            "incomplete_true": "[tr]", "multidigit_number_then_00": "321\0", "number_++": "[++12]", "number_+1": "[+2]", "number_+Inf": "[+Inf]",
            "number_-01": "[-02]", "number_-1.0.": "[-2.0.]", "number_-2.": "[-3.]", "number_-NaN": "[-NaN]", "number_.-1": "[.-2]", "number_.2e-3": "[.3e-4]",
            "number_0.1.2": "[0.2.3]", "number_0.3e+": "[0.4e+]", "number_0.3e": "[0.4e]", "number_0.e1": "[0.e2]", "number_0_capital_E+": "[0E+]",
            "number_0_capital_E": "[0E]", "number_0e+": "[0e+]", "number_0e": "[0e]", "number_1.0e+": "[2.0e+]", "number_1.0e-": "[2.0e-]",
            "number_1.0e": "[2.0e]",
            "number_1_000": "[2 000.0]", "number_1eE2": "[2eE3]", "number_2.e+3": "[3.e+4]", "number_2.e-3": "[3.e-4]", "number_2.e3": "[3.e4]",
            "number_9.e+": "[8.e+]", "number_Inf": "[Inf]", "number_NaN": "[NaN]", "number_U+FF11_fullwidth_digit_one": "[\u{FF12}]",
            "number_expression": "[2+3]",
            "number_hex_1_digit": "[0x2]", "number_hex_2_digits": "[0x43]", "number_infinity": "[Infinity]", "number_invalid+-": "[0e+-2]",
            "number_invalid-negative-real": "[-321.321abc]", "number_minus_infinity": "[-Infinity]", "number_minus_sign_with_trailing_garbage": "[-bar]",
            "number_minus_space_1": "[- 2]", "number_neg_int_starting_with_zero": "[-021]", "number_neg_real_without_int_part": "[-.321]",
            "number_neg_with_garbage_at_end": "[-2x]", "number_real_garbage_after_e": "[2ea]", "number_real_without_fractional_part": "[2.]",
            "number_starting_with_dot": "[.321]", "number_then_00": "2\0", "number_with_alpha": "[2.3a-2]", "number_with_alpha_char": "[2.7999b]",
            "number_with_leading_zero": "[021]", "object_bad_value": "[\"y\", fact]", "object_bracket_key": "{[: \"y\"}\n",
            "object_comma_instead_of_colon": "{\"y\", null}",
            "object_double_colon": "{\"y\"::\"c\"}", "object_emoji": "{🇨🇭}", "object_garbage_at_end": "{\"b\":\"b\" 124}",
            "object_key_with_single_quotes": "{k: 'w'}",
            "object_missing_colon": "{\"b\" c}", "object_missing_key": "{:\"c\"}", "object_missing_semicolon": "{\"b\" \"c\"}",
            "object_missing_value": "{\"b\":",
            "object_no-colon": "{\"b\"", "object_non_string_key": "{2:2}", "object_non_string_key_but_huge_number_instead": "{8888E8888:1}",
            "object_repeated_null_null": "{null:null,null:null}", "object_several_trailing_commas": "{\"no\":1,,,,,}", "object_single_quote": "{'b':0}",
            "object_trailing_comma": "{\"no\":1,}", "object_trailing_comment": "{\"b\":\"c\"}/**/", "object_trailing_comment_open": "{\"b\":\"c\"}/**//",
            "object_trailing_comment_slash_open": "{\"b\":\"c\"}//", "object_trailing_comment_slash_open_incomplete": "{\"b\":\"c\"}/",
            "object_two_commas_in_a_row": "{\"b\":\"c\",,\"d\":\"e\"}", "object_unquoted_key": "{b: \"c\"}", "object_unterminated-value": "{\"b\":\"b",
            "object_with_single_string": "{ \"one\" : \"two\", \"three\" }", "object_with_trailing_garbage": "{\"b\":\"c\"}#", "single_space": " ",
            "string_1_surrogate_then_escape": #"["\uD801\"]"#, "string_1_surrogate_then_escape_u": #"["\uD801\u"]"#,
            "string_1_surrogate_then_escape_u1": #"["\uD801\u2"]"#,
            "string_1_surrogate_then_escape_u1x": #"["\uD801\u2x"]"#, "string_accentuated_char_no_quotes": "[é]", "string_backslash_00": "[\"\\\0\"]",
            "string_escape_x": #"["\x01"]"#, "string_escaped_backslash_bad": #"["\\\"]"#, "string_escaped_ctrl_char_tab": "[\"\\\t\"]",
            "string_escaped_emoji": "[\"\\🌍\"]",
            "string_incomplete_escape": #"["\"]"#, "string_incomplete_escaped_character": #"["\u01A"]"#, "string_incomplete_surrogate": #"["\uD835\uDd"]"#,
            "string_incomplete_surrogate_escape_invalid": #"["\uD801\uD801\x"]"#, "string_invalid_backslash_esc": #"["\b\q"]"#,
            "string_invalid_unicode_escape": #"["\urqqq"]"#,
            "string_leading_uescaped_thinspace": #"[\u0021"wxyz"]"#, "string_no_quotes_with_bad_escape": #"[\t]"#, "string_single_doublequote": "\"",
            "string_single_quote": "['plain quote']", "string_single_string_no_double_quotes": "word", "string_start_escape_unclosed": "[\"\\",
            "string_unescaped_ctrl_char": "[\"b\0b\"]",
            "string_unescaped_newline": "[\"old\nline\"]", "string_unescaped_tab": "[\"\t\"]", "string_unicode_CapitalU": #""\UA77D""#,
            "string_with_trailing_garbage": "\"\"y",
            "structure_U+2060_word_joined": "[\u{2060}]", "structure_angle_bracket_.": "<.>", "structure_angle_bracket_null": "[<null>]",
            "structure_array_trailing_garbage": "[2]y",
            "structure_array_with_extra_array_close": "[2]]", "structure_array_with_unclosed_string": "[\"qrst]", "structure_ascii-unicode-identifier": "bå",
            "structure_capitalized_True": "[True]", "structure_close_unopened_array": "2]", "structure_comma_instead_of_closing_brace": "{\"y\": true,",
            "structure_double_array": "[][]",
            "structure_end_array": "]", "structure_lone-open-bracket": "[", "structure_no_data": "", "structure_null-byte-outside-string": "[\0]",
            "structure_number_with_trailing_garbage": "3@",
            "structure_object_followed_by_closing_object": "{}}", "structure_object_unclosed_no_value": "{\"\":",
            "structure_object_with_comment": "{\"b\":/*note*/\"c\"}",
            "structure_object_with_trailing_garbage": "{\"b\": true} \"y\"", "structure_open_array_apostrophe": "['", "structure_open_array_comma": "[,",
            "structure_open_array_open_object": "[{",
            "structure_open_array_open_string": "[\"b", "structure_open_array_string": "[\"b\"", "structure_open_object": "{",
            "structure_open_object_close_array": "{]",
            "structure_open_object_comma": "{,", "structure_open_object_open_array": "{[", "structure_open_object_open_string": "{\"b",
            "structure_open_object_string_with_apostrophes": "{'b'",
            "structure_open_open": #"["\{["\{["\{["#, "structure_single_star": "*", "structure_trailing_#": "{\"b\":\"c\"}#{}",
            "structure_unclosed_array": "[2",
            "structure_unclosed_array_partial_null": "[ false, nul", "structure_unclosed_array_unfinished_false": "[ true, fals",
            "structure_unclosed_array_unfinished_true": "[ false, tru",
            "structure_unclosed_object": "{\"qrst\":\"qr\"", "structure_unicode-identifier": "å", "structure_whitespace_U+2060_word_joiner": "\u{2060}",
            "structure_whitespace_formfeed": "[\u{C}]",
            "structure_uescaped_LF_before_string": #"[\u000A""]"#, "structure_100000_opening_arrays": String(repeating: "[", count: 100_000),
            "structure_open_array_object": String(repeating: "[{\"\":", count: 50_000),
        ]) + [
            ("array_a_invalid_utf8", [0x5B, 0x62, 0xE6, 0x5D]), ("array_invalid_utf8", [0x5B, 0xFE, 0x5D]), ("array_newlines_vt", [0x5B, 0x31, 0x0B, 0x5D]),
            ("number_invalid-utf-8-in-bigger-int", [0x5B, 0x32, 0x33, 0xE6, 0x5D]), ("number_invalid-utf-8-in-exponent", [0x5B, 0x31, 0x65, 0x32, 0xE6, 0x5D]),
            ("number_invalid-utf-8-in-int", [0x5B, 0x30, 0xE6, 0x5D, 0x0A]), ("number_real_with_invalid_utf8_after_e", [0x5B, 0x31, 0x65, 0xE6, 0x5D]),
            ("object_lone_continuation_byte_in_key_and_trailing_comma", Array("{\"".utf8) + [0xBA] + Array("\":0,}".utf8)),
            ("object_pi_in_key_and_trailing_comma", Array("{\"π\":0,}".utf8)),
            ("string_invalid-utf-8-in-escape", Array("[\"\\u".utf8) + [0xE6] + Array("\"]".utf8)),
            ("string_invalid_utf8_after_escape", Array("[\"\\".utf8) + [0xE6] + Array("\"]".utf8)), ("structure_UTF8_BOM_no_data", [0xEF, 0xBB, 0xBF]),
            ("structure_incomplete_UTF8_BOM", [0xEF, 0xBB, 0x7B, 0x7D]), ("structure_lone-invalid-utf-8", [0xE6]), ("structure_single_eacute", [0xE9]),
        ]

    /// What the grammar leaves to the parser, and what this one does.
    static let either: [(name: String, text: [UInt8], isAccepted: Bool)] = [
        // Numbers are kept as written; whether one fits is asked when it is read.
        ("number_double_huge_neg_exp", Array("[321.654e-9999]".utf8), true), ("number_huge_exp", Array("[0.5e0099999999999]".utf8), true),
        ("number_neg_int_huge_exp", Array("[-2e+8888]".utf8), true), ("number_pos_double_huge_exp", Array("[2.5e+8888]".utf8), true),
        ("number_real_neg_overflow", Array("[-321321e321321]".utf8), true), ("number_real_pos_overflow", Array("[321321e321321]".utf8), true),
        ("number_real_underflow", Array("[321e-9876543]".utf8), true), ("number_too_big_neg_int", Array("[-321321321321321321321321]".utf8), true),
        ("number_too_big_pos_int", Array("[200000000000000000000]".utf8), true), ("number_very_big_negative_int", Array("[-474613780131245]".utf8), true),
        // What no Unicode text can hold is refused.
        ("object_key_lone_2nd_surrogate", Array(#"{"\uDEAD":1}"#.utf8), false), ("string_1st_surrogate_but_2nd_missing", Array(#"["\uDABB"]"#.utf8), false),
        ("string_1st_valid_surrogate_2nd_invalid", Array(#"["\uD889\u4321"]"#.utf8), false),
        ("string_incomplete_surrogate_and_escape_valid", Array(#"["\uD801\n"]"#.utf8), false),
        ("string_incomplete_surrogate_pair", Array(#"["\uDd1fb"]"#.utf8), false),
        ("string_incomplete_surrogates_escape_valid", Array(#"["\uD801\uD801\n"]"#.utf8), false),
        ("string_invalid_lonely_surrogate", Array(#"["\ud801"]"#.utf8), false), ("string_invalid_surrogate", Array(#"["\ud801xyz"]"#.utf8), false),
        ("string_inverted_surrogates_U+1D11E", Array(#"["\uDd1e\uD834"]"#.utf8), false), ("string_lone_second_surrogate", Array(#"["\uDFAB"]"#.utf8), false),
        ("string_UTF-8_invalid_sequence", [0x5B, 0x22, 0xE6, 0x97, 0xA5, 0xD1, 0x88, 0xFB, 0x22, 0x5D], false),
        ("string_UTF8_surrogate_U+D801", [0x5B, 0x22, 0xED, 0xA0, 0x81, 0x22, 0x5D], false), ("string_invalid_utf-8", [0x5B, 0x22, 0xFE, 0x22, 0x5D], false),
        ("string_iso_latin_1", [0x5B, 0x22, 0xE8, 0x22, 0x5D], false), ("string_lone_utf8_continuation_byte", [0x5B, 0x22, 0x82, 0x22, 0x5D], false),
        ("string_not_in_unicode_range", [0x5B, 0x22, 0xF4, 0xBF, 0xBE, 0xBF, 0x22, 0x5D], false),
        ("string_overlong_sequence_2_bytes", [0x5B, 0x22, 0xC0, 0xAE, 0x22, 0x5D], false),
        ("string_overlong_sequence_6_bytes", [0x5B, 0x22, 0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBE, 0x22, 0x5D], false),
        ("string_overlong_sequence_6_bytes_null", [0x5B, 0x22, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x81, 0x22, 0x5D], false),
        ("string_truncated-utf-8", [0x5B, 0x22, 0xE1, 0xFE, 0x22, 0x5D], false),
        // UTF-8 alone, without a mark (RFC 8259 §8.1).
        ("string_utf16BE_no_BOM", [0, 0x5B, 0, 0x22, 0, 0x22, 0, 0x5D], false), ("string_utf16LE_no_BOM", [0x5B, 0, 0x22, 0, 0x22, 0, 0x5D, 0], false),
        ("string_UTF-16LE_with_BOM", [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], false), ("string_UTF-16BE_with_BOM", [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], false),
        ("string_UTF-32LE_with_BOM", [0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0, 0x5D, 0, 0, 0], false),
        ("structure_UTF-8_BOM_empty_object", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], false),
        ("structure_500_nested_arrays", Array((String(repeating: "[", count: 500) + String(repeating: "]", count: 500)).utf8), true),
    ]

    @Test(arguments: mustAccept)
    func everyAcceptClassIsAccepted(_ row: Row) throws {
        let document = try JSONDocument(row.text)
        #expect(try JSON(parsing: document.root.bytes()) == document.root, "\(row.name)")
        _ = try JSONSerialization.jsonObject(with: Data(row.text), options: .fragmentsAllowed)
    }

    @Test(arguments: mustRefuse)
    func everyRefuseClassIsRefused(_ row: Row) {
        let error = #expect(throws: JSONError.self, "\(row.name)") { try JSONDocument(row.text) }
        #expect((error?.offset ?? -1) <= row.text.count)
        #expect(error?.line != nil)
    }

    @Test(arguments: either)
    func whatIsLeftToTheParserIsAsStated(_ name: String, _ text: [UInt8], _ isAccepted: Bool) {
        #expect(((try? JSONDocument(text)) != nil) == isAccepted, "\(name)")
    }

    @Test(arguments: 0..<40)
    func everyTruncationOfAGeneratedDocumentIsRefused(_ seed: UInt64) throws {
        var generator = TextGenerator(seed: 7000 + seed)
        let bytes = Array(("[" + generator.value(depth: 4) + "," + generator.value(depth: 2) + "]").utf8)
        _ = try JSONDocument(bytes)
        for length in 0..<bytes.count {
            let error = #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[..<length])) }
            // Cut inside a character, the fault is the character.
            #expect(error?.code == .unexpectedEnd || error?.code == .invalidUTF8 || error?.code == .loneSurrogate)
        }
    }
}
