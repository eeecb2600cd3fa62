import MovieDomain
import MovieHTTP

/// The texts of the approval page in one language. Texts without values of the request are HTML.
struct ApprovalTexts: Sendable {
    /// The value of `lang` (RFC 5646).
    let language: String
    /// Headings.
    let late, question, approved, denied: String
    let isLate: String
    /// The question to the user.
    let wish: String
    /// The consequence of an approval.
    let guest: String
    let approve, deny: String
    /// The page's target; `%` is its placeholder.
    let leads, back: String
    let isApproved, isDenied, isAllThereIs: String

    /// The texts of the first available language of a preference, else English.
    static func texts(for preference: LanguagePreference) -> ApprovalTexts {
        let all = [Self.english, .korean, .japanese]
        return preference.languages.lazy.compactMap { language in all.first { $0.language == language.code } }.first
            ?? .english
    }

    static let english = ApprovalTexts(
        language: "en", late: "No longer valid", question: "Sign in to OneSheet?", approved: "Approved",
        denied: "Refused",
        isLate: "The sign-in request does not exist or has expired. Start again where you came from.",
        wish: "A program asks to rate films and to store favourites for you. Refuse if you did not start this sign-in.",
        guest:
            "You become a guest of this server. Ratings end when you sign out or the session ends; favourites and the "
            + "watchlist stay with the device that signs in, if it has a token.",
        approve: "Approve", deny: "Refuse", leads: "Then you return to %.", back: "Back to %",
        isApproved: "The program may act for you now.", isDenied: "The program may not act for you.",
        isAllThereIs: "You can close this page and return to the program.")

    static let korean = ApprovalTexts(
        language: "ko", late: "더 이상 유효하지 않습니다", question: "OneSheet에 로그인할까요?", approved: "승인했습니다",
        denied: "거절했습니다", isLate: "그런 로그인 요청이 없거나 너무 오래되었습니다. 처음 화면에서 다시 시작하세요.",
        wish: "어떤 프로그램이 회원님 대신 영화에 평점을 매기고 즐겨찾기를 보관하려고 합니다. 방금 직접 시작하지 않았다면 거절하세요.",
        guest: "이 서버의 손님이 됩니다. 평점은 로그아웃하거나 세션이 끝나면 사라지고, 즐겨찾기와 볼 영화는 토큰이 있는 기기에 남습니다.",
        approve: "승인", deny: "거절", leads: "그런 다음 %(으)로 돌아갑니다.", back: "%(으)로 돌아가기",
        isApproved: "이제 프로그램이 회원님 대신 쓸 수 있습니다.", isDenied: "프로그램이 회원님 대신 쓸 수 없습니다.",
        isAllThereIs: "이 페이지를 닫고 프로그램으로 돌아가면 됩니다.")

    static let japanese = ApprovalTexts(
        language: "ja", late: "有効期限が切れています", question: "OneSheetにログインしますか？", approved: "承認しました",
        denied: "拒否しました", isLate: "そのログイン要求はないか、古すぎます。元の画面からもう一度始めてください。",
        wish: "あるプログラムが、あなたに代わって映画を評価し、お気に入りを保存しようとしています。今ご自分で始めたのでなければ、拒否してください。",
        guest: "このサーバーのゲストになります。評価はログアウトまたはセッションの終了とともに消え、お気に入りと見たい映画はトークンを持つ端末に残ります。",
        approve: "承認", deny: "拒否", leads: "そのあと%に戻ります。", back: "%に戻る",
        isApproved: "プログラムがあなたに代わって使えるようになりました。", isDenied: "プログラムはあなたに代わって使えません。",
        isAllThereIs: "このページを閉じて、プログラムに戻ってください。")
}
