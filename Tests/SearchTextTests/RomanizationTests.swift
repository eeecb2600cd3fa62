import Testing

@testable import SearchText

struct RomanizationTests {
    // Includes examples of the standard of 2000: Baengma, Silla, haedoji; johko is joko.
    @Test(arguments: [
        ("하녀", "hanyeo"), ("백마", "baengma"), ("신라", "silla"), ("별내", "byeollae"), ("독립문", "dongnimmun"),
        ("종로", "jongno"),
        ("해돋이", "haedoji"), ("같이", "gachi"), ("좋고", "joko"), ("놓다", "nota"), ("살인의", "sarinui"), ("추억", "chueok"),
        ("왕십리", "wangsimni"), ("읽기", "ikgi"), ("앉아", "anja"), ("많이", "mani"), ("밖에", "bakke"), ("값이", "gapsi"),
        ("강아지", "gangaji"), ("오발탄", "obaltan"), ("의", "ui"), ("잃어", "ireo"),
    ])
    func hangulIsWrittenAsItSounds(text: String, latin: String) {
        #expect(HangulRomanization.latin(of: text.unicodeScalars) == latin)
    }

    @Test(arguments: [
        ("ラショウモン", "rashoumon"), ("トーキョー", "tookyoo"), ("キット", "kitto"), ("マッチ", "matchi"), ("ジャンヌ", "jannu"),
        ("チャップリン", "chappurin"), ("ファウスト", "fausuto"), ("ヴァンパイア", "vanpaia"), ("キートン", "kiiton"), ("ッ", ""), ("ー", ""),
        ("ャ", "ya"), ("ティ", "ti"), ("シェ", "she"),
    ])
    func kanaAreWrittenAsHepburnDid(text: String, latin: String) {
        #expect(KanaRomanization.latin(of: text.unicodeScalars) == latin)
    }

    @Test(arguments: [
        ["하녀", "hanyeo", "hanyŏ", "Hanyo"], ["らしょうもん", "rashoumon", "rashōmon", "Rashomon", "ラショウモン"],
        ["청춘의 십자로", "cheongchunui sipjaro", "ch'ŏngch'unŭi sipcharo"], ["ゴジラ", "gojira", "Gojira"],
        ["오발탄", "obaltan", "obalt'an"], ["しんぶん", "shimbun", "shinbun"], ["한강", "hangang", "hankang"],
    ])
    func romanisationsOfATextSoundAlike(texts: [String]) {
        let sounds = Set(texts.map { SoundKeys.keys(of: FoldedText($0)) })
        #expect(sounds.count == 1 && !sounds.contains(nil))
    }

    @Test(arguments: ["羅生門", "Потёмкин", "ab", "", "아"])
    func whatHasSeveralReadingsOrIsShortHasNoSound(text: String) {
        #expect(SoundKeys.keys(of: FoldedText(text)) == nil)
    }
}
