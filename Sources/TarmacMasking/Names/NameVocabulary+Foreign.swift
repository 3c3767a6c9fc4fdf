extension NameVocabulary {
    /// Stems in other scripts, in lower case. A name that contains one is secret.
    static let foreign: [(rule: SecretRule, stem: String)] = [
        (.password, "密码"), (.password, "密碼"), (.password, "口令"), (.token, "令牌"), (.token, "权杖"), (.token, "權杖"), (.key, "密钥"),
        (.key, "密鑰"), (.key, "私钥"), (.key, "私鑰"), (.key, "秘钥"), (.oneTimeCode, "验证码"), (.oneTimeCode, "驗證碼"), (.oneTimeCode, "校验码"),
        (.signature, "签名"), (.signature, "簽名"), (.credentials, "凭证"), (.credentials, "凭据"), (.credentials, "憑證"),
        (.password, "パスワード"), (.password, "暗証番号"), (.password, "暗号鍵"), (.key, "秘密鍵"), (.token, "トークン"), (.oneTimeCode, "認証コード"),
        (.key, "apiキー"), (.password, "비밀번호"), (.password, "암호"), (.token, "토큰"), (.oneTimeCode, "인증번호"), (.number, "주민등록번호"),
        (.number, "계좌번호"), (.number, "카드번호"), (.number, "マイナンバー"), (.number, "口座番号"), (.number, "カード番号"),
        (.password, "пароль"), (.password, "пароля"), (.token, "токен"), (.secret, "секрет"), (.signature, "подпись"), (.key, "секретный_ключ"),
        (.number, "снилс"), (.number, "номер_карты"), (.number, "номер_счета"), (.pin, "пинкод"),
        (.password, "contraseñ"), (.password, "lösenord"), (.password, "hasło"), (.password, "şifre"), (.password, "mật khẩu"),
        (.password, "mật_khẩu"),
        (.password, "jelszó"), (.password, "slaptažod"), (.password, "clé_secr"), (.password, "كلمة المرور"), (.password, "كلمة_المرور"),
        (.password, "كلمة_السر"), (.password, "كلمةالسر"), (.password, "סיסמה"), (.password, "סיסמא"), (.password, "รหัสผ่าน"),
        (.password, "κωδικός"),
        (.password, "गुप्तशब्द"), (.password, "पासवर्ड"), (.password, "গোপননম্বর"),
        (.number, "银行卡号"), (.number, "銀行卡號"), (.number, "身份证"), (.number, "身分證"), (.number, "卡号"), (.number, "卡號"), (.number, "护照"),
        (.number, "護照"), (.number, "社保号"), (.number, "银行账号"), (.number, "银行账户"), (.number, "fødselsnummer"), (.number, "número_de_cuenta"),
        (.number, "rodné_číslo"), (.number, "numéro_de_sécurité"),
    ]
}
