import Testing

@testable import PosterCodec

@Suite struct BlurHashTests {
    /// Results of the Python package `blurhash` 1.1.5, with alpha composited over white.
    static let known: [(picture: RGBAPicture, components: [Int], hash: String)] = [
        (.gradient(32, 32), [4, 4], "UxG[[G2lwzX5l@WHjre=gLfhfRfjnjWqjtfQ"),
        (.gradient(67, 100), [3, 4], "T#HC3s2S$8hja*fOgffhfRi{a}fP"),
        (.gradient(100, 67), [4, 3], "L#HLhD2S$8Sdhja*jrf8gffOfRfP"),
        (
            .waves(40, 60), [9, 9],
            "|4HLk~rXHs%:MJy5Rzy#veF:QV4rTm5QGl0~Iq6K1F0h0O7=9c6yRQEk=x}Qun:9y5{itd[;-j{jiuDTD:T?mZB,E7ESN3o=QD:;PMM%t%"
                + "[IO=noJ{M2-j%YQ:O=oyK#xv-QHyTptiIdPTzgJBeFSazsuFO;vWxc#mxuM#"
        ),
        (.waves(100, 1), [5, 1], "4PH2I.RTQtEPUk"),
        (.waves(63, 98), [1, 1], "00HV6n"),
        (.waves(100, 100), [1, 9], "=6HV9vt0R$sp{{xGnMxFJ5"),
        (.noise(50, 75), [4, 5], "d2HLrG~E?W-p%|G%M-JGx:$mRnwO?XS#NG$Kl7K$5$Xw"),
        (.noise(17, 3), [2, 2], "ApIhT-og?]OY"),
        (.flat(1, 1, [200, 100, 51, 255]), [4, 4], "U~M|TA}=}=}=}=}=}=}=}=}=}=}=}=}=}=}="),
        (.disc(48, 64), [3, 4], "TfN[as-B.8rxjtkB?^W;kWt7j@kB"),
        (.disc(90, 50), [4, 3], "LoMry0,@_Nbbr^jtkBfQx]W:kVbG"),
        (.noise(30, 20, isOpaque: false), [4, 3], "LHN1Aa%Lr].8_NjGIVODtQW.EKsE"),
        (.flat(10, 15, [255, 0, 0, 0]), [3, 3], "KWTSUA~qfQ?boffQfQfQfQ"),
    ]

    @Test("gives what another implementation gives", arguments: Self.known)
    func agrees(picture: RGBAPicture, components: [Int], hash: String) {
        #expect(picture.blurHash(components[0], components[1]) == hash)
    }

    @Test("the text is as long as the counts of components say", arguments: 1...9, 1...9)
    func length(xComponents: Int, yComponents: Int) {
        #expect(
            RGBAPicture.waves(8, 12).blurHash(xComponents, yComponents).count == 4 + 2 * xComponents * yComponents)
    }

    @Test("what is transparent is white")
    func overWhite() {
        let white = RGBAPicture.flat(10, 15, [255, 255, 255, 255])
        #expect(RGBAPicture.flat(10, 15, [255, 0, 0, 0]).blurHash(3, 3) == white.blurHash(3, 3))
        let half = RGBAPicture.flat(10, 15, [255, 0, 0, 51])
        #expect(half.blurHash(4, 3) == RGBAPicture.flat(10, 15, [255, 204, 204, 255]).blurHash(4, 3))
    }
}
