import Foundation

@testable import PosterCodec

/// Pictures of 64×64 pixels encoded by heif-enc 1.15 with x265 3.5 at quality 85: the content of their `hvcC` box, and
/// their data.
enum HEVCSample: String, CaseIterable, Sendable {
    /// 8 bits, 4:2:0.
    case s420
    /// 8 bits, 4:2:2.
    case s422
    /// 8 bits, 4:4:4.
    case s444
    /// 8 bits, only luma.
    case gray
    /// 10 bits, 4:2:0.
    case deep420
    /// 10 bits, 4:2:2.
    case deep422
    /// 10 bits, 4:4:4.
    case deep444
    /// 12 bits, 4:2:0.
    case deepest
    /// 10 bits, only luma.
    case deepGray
    /// 8 bits, only luma, 40 + 3x.
    case alpha
    /// 8 bits, 4:2:0; 70×66 pixels of a coded picture of 72×72.
    case windowed
    /// 8 bits, 4:2:0, in several slices.
    case sliced
    /// 8 bits, 4:4:4, with the primaries of Display P3 and the matrix of BT.709.
    case described

    var width: Int { self == .windowed ? 70 : 64 }
    var height: Int { self == .windowed ? 66 : 64 }

    /// The encoded red, green and blue of a pixel; gray pictures have the red.
    static func pixel(_ x: Int, _ y: Int) -> [Int] { [3 * x + 20, 3 * y + 10, x + 2 * y] }

    var configuration: [UInt8] { Self.decoded(self.base64.configuration) }
    var data: [UInt8] { Self.decoded(self.base64.data) }

    /// The coded picture, with its size and configuration.
    var cell: HEIFFile.Cell {
        HEIFFile.Cell(
            width: self.width, height: self.height, kind: "hvc1", data: self.data,
            properties: [HEIFFile.size(self.width, self.height), HEIFFile.box("hvcC", self.configuration)])
    }

    private static func decoded(_ base64: String) -> [UInt8] {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
    }

    private var base64: (configuration: String, data: String) {
        switch self {
        case .s420:
            (
                """
                AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAe
                oCCBBZbqSQia5uBAQMCAAAADAIAAAAMAhCIAAQAHRAHBdrAiQA==
                """,
                """
                AAABJSgBrwW44zWtKIllTVmKrdEdV+hPmNGDZwn2xOVD/4J8R8RUg7VM9VddJI///DbmPuw9GV/l+Jdg3iyPU+gG+84ZA5kJXx6x
                za74z0EIYpzJ0tOBZ5QY7P26Vm5LNhYQiNGq1rB8V0/rAnr55EZsgxYixjoaJfBKK8ojqduGT7kHb2yHroLEFNjyIxzEZ5QK+kMU
                vJIo7Jy2FVrJN1trl3e/Vt3dZeIHxHk8bn4ev5ClVGrYjqa8zVSl5M81Os3yp2TStr5PRkTOG29x7ytYp0yqEEk4+n+5h9qyJTpr
                Ya7bMCGIKC7x1q++dZIMpEqg9EJ5nWVA1aUUzIm7J+jtniZtkluPXL+/k+MvaUlyyhBBGN5Xdi6i0F+niH/uNCUp7nvw3dnf
                """
            )
        case .s422:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P74+AAADwMgAAEAF0ABDAH//wQIAAADAJ04AAADAAAeugJAIQABACpCAQEECAAAAwCdOAAAAwAAHrAg
                gQWW6kkImubgQEDAgAAAAwCAAAADAIQiAAEAB0QBwXawIkA=
                """,
                """
                AAABfygBrwW44zrSHqRZ6betqAVTpn0J8xowbOE+2Jyof/BPiPiKkHapnqrrpJH//4besVlxhum91k0/mf+nvEdt2MwHFKr46ZFx
                yeOR7x54IBhMDTII82rIiyQVVc/PlLLumMRCnMnS04FnlBjs/bpWbks2FhCI0arWsHxXT+sCevnkRmyDFiLGOhol8EoryiOp24ZP
                uQdvbIeugsOiEYFU3kTTDPXKuLMbr162f2MHWv87hmji160YwfZcFgbbiFthNbPke4ct55+TNlyrM+/Vt3dZeIHxHk8bn4ev5ClV
                GrYjqa8zVSl5M81Os3yqhfvsoUBo4+BoEGKRBzpnHFVXYCg8p1g8RpFeCj2y707Oi4B2E0ncxJ/0mgeZi0+ToHZsZLILEXsBDXbZ
                gQxBQXeOtX3zrJBlIlUHohPM6yoGrSimZE3ZP0ds8TNsktx65f38nxl7SkuWXXSAyDFRyWU887NWRRtJ9Kb+QzHbGej3VDD1RGdW
                ocwk4z6T+7lzbC+A
                """
            )
        case .s444:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P/4+AAADwMgAAEAF0ABDAH//wQIAAADAJ44AAADAAAeugJAIQABACtCAQEECAAAAwCeOAAAAwAAHpAE
                ECCy3UkhE1zcCAgYEAAAAwAQAAADABCAIgABAAhEAcF2hgwCJA==
                """,
                """
                AAABLigBrwW44zfJKIllTVmKrdEdV+hPmNGDZwn2xOVD/4J8R8RUg7VM9VddJI///DYC9qz6568CqUXqqRe/3GHNlHo7xjDpeKg7
                zqFaDA/AJ8CnMnS04FnlBjs/bpWbks2FhCI0arWsHxXT+sCevnkRmyDFiLGOhol8EoryiOp24ZPuQdvbIeugsOFayRgmYl3DapQB
                gs6ENafd4zoVDuOdsJnaGc/tQWGVTJN8R5PG5+Hr+QpVRq2I6mvM1UpeTPNTrN8qoBaRSn8jxPAVOi+fukVhhk9YgQfDdq0Tulcs
                s4/Ha+FYpTprYa7bMCGIKC7x1q++dZIMpEqg9EJ5nWVA1aUUzIm7J+jtniZtkluPXL+/k+MvaUlyygodLo+fKnaJ86r5M/iAllwO
                //M/+Qv8
                """
            )
        case .gray:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAIQABACdCAQEECAAAAwCf+AAAAwAAHsCC
                BBZbqSQia5sCAAADAAIAAAMAAhAiAAEAB0QBwXawIkA=
                """,
                """
                AAAAZCgBrgtwdMlPHGV9Pw7mJkA1IrN33lackr9+q1+1+f33pkGjGIkZr8ptg1GQXkDsE8Yd3v+Jj/vqTscug84SG+g6f0F+pOkH
                eHE+W4vhlzKPoYFYuUERCV+0mETH5H/6E/+V/+A=
                """
            )
        case .deep420:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P36+gAADwMgAAEAF0ABDAH//wQIAAADAJ24AAADAAAeugJAIQABACtCAQEECAAAAwCduAAAAwAAHqAg
                gQTZbqSQia5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcF2sCJA
                """,
                """
                AAAA1CgBrwW4tFELEsqasxVbojqv0J9BMGUXtK/93A15ScwA/zGjL7gbs/N/8xv8kD8v+pSjH0T57TrIwFDJY27bqXMKvioO87b3
                hzbiSMzveQ21b1eRh3IjT9EtmrTAXem2vkjttyI17JARiPDVlJVCXtDtHruWNrlW6hX0a/p3OUCt0R2NRZ+be+n52K7kjdLB5v5Z
                l1yJ6nBMXijtPF6JCzpB3ubXZet2Y9EkUKWPWo8w6p/fWetxMDp0ECSL2g54GbwPNd8fLn877xdeQop20iHFUFHk
                """
            )
        case .deep422:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P76+gAADwMgAAEAF0ABDAH//wQIAAADAJ04AAADAAAeugJAIQABACtCAQEECAAAAwCdOAAAAwAAHrAg
                gQTZbqSQia5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcF2sCJA
                """,
                """
                AAABAigBrwW4V19CKXragFU6Z9CfQTBlF7Sv/dwNeUnMAP8xoy+4G7Pzf/Mb/JBP//tYSPd+PwLsLlpe6D3MrayRP2mnm3GNlywB
                liJk/E74Xjf9xJGZ3vIbat6vIw7kRp+iWzVpgLvTbXyR225Ea9kgIxIV8OQ4ejX1+vpen8BaceDx/l/4v8jre9r09XGFeZLBCyPT
                lArdEdjUWfm3vp+diu5I3SvhgkxkGm8wY4hc3vuH9pQhpjrltdNPoN+7Xu8bXZet2Y9EkUMiVCKodbMHTmdXk7aCxCBJF7Qc8DN4
                Hmu+Plz+d94uvIUU7aRDiqDCzvr6a5lj6t/TCRi0fAMpNa5SFQ==
                """
            )
        case .deep444:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P/6+gAADwMgAAEAF0ABDAH//wQIAAADAJw4AAADAAAeugJAIQABACtCAQEECAAAAwCcOAAAAwAAHpAE
                ECCbLdSSETXNwICBgQAAAwABAAADAAEIIgABAAhEAcF2hgwCJA==
                """,
                """
                AAAA2SgBrwW4rsELEsqasxVbojqv0J9BMGUXtK/93A15ScwA/zGjL7gbs/N/8xv8kD8v+pVU4pa/f1F6v1m2W+mXmFVMKvioWQ7b
                3hzbiSMzveQ21b1eRh3IjT9EtmrTAXem2vkjttyI17JARiO6DZkq01qqyVVLLyEkYnOfQcvrRGjlArdEdjUWfm3vp+diu5I3SvyV
                hlAr6Zf6UbQBgxj56QDzhu3XqcBy+Hj/mHlE01EZ2SNOtmDpzOrydtBYhAki9oOeBm8DzXfHy5/O+8XXkKKdtIhxVBHP4Zg=
                """
            )
        case .deepest:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P38/AAADwMgAAEAF0ABDAH//wQIAAADAJm4AAADAAAeugJAIQABACtCAQEECAAAAwCZuAAAAwAAHqAg
                gQRSlupJCJrm4EBAwIAAAAMAgAAAAwCEIgABAAdEAcF2sCJA
                """,
                """
                AAAAyygBrwW4rHgrMSypqzFVuiOq/QnzGjBs4T7YnKh/8E+I+IqQdrP+qZ+kdsL/4CiV+idno2ODATpVjbtupcwq+Kg7ztveHNuW
                xMewyR7XmPP+PYYQlfJQt0fXL6IIF4p/W8KnG+cFC5VdCBCbeUIiGKhJPS/cUO0Nx9hm4CrwMYIR39F9ys2e4XB5VgdSx0OXmYJ2
                8Q+ni9E9KOz/AK/nGSlw4nevsL7ZiWc32hjUHjJ35OGY44EyT1+f6hHH56ZXvBCKvnez/zTEadLw
                """
            )
        case .deepGray:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/Pz6+gAADwMgAAEAF0ABDAH//wQIAAADAJ34AAADAAAeugJAIQABACdCAQEECAAAAwCd+AAAAwAAHsCC
                BBNlupJCJrmwIAAAAwAgAAADACEiAAEAB0QBwXawIkA=
                """,
                """
                AAAAVCgBrgtwTmRUHnewAEcu9Nv3nx7Sb9J3KR0CHnnG/Y8YWT+Gv7/HZsQdAi8Sj/jvh3reU8cdlbiZUI7Gxy6Vq539o56DaADq
                levdl2sDP9bBBLaH+A==
                """
            )
        case .alpha:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAIQABACdCAQEECAAAAwCf+AAAAwAAHsCC
                BBZbqSQia5sCAAADAAIAAAMAAhAiAAEAB0QBwXawIkA=
                """,
                """
                AAAAZCgBrgtwdMlPHGV9Pw7mJkA1IrN33lackr9+qD+1+f0ZYkGjGIkZr8ptg1GQXkDsE8Yd3v+Jj/vqTscug84SG+g6f0F+pOkH
                eHE+W4vhlzKPoYFYuUERCV+0mETH5H/6E/+V/+A=
                """
            )
        case .windowed:
            (
                """
                AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAsQgEBA3AAAAMAkAAAAwAAAwAe
                oCSBJ1JlupJCJrm4EBAwIAAAAwAgAAADACEiAAEAB0QBwXawIkA=
                """,
                """
                AAABzCgBrwW44zUyURLKmrMVW6I6r9CfMaMGzhPticqH/wT4j4ipB2qZ6q66SR//+G3Mfdh6Mr/L8S7BvFkep9AN95wyBzISvj1j
                m13xnoIQxTmTpacCzygx2ft0rNyWbCwhEaNVrWD4rp/WBPXzyIzZBixFjHQ0S+CUV5RHU7cMn3IO3tkPXQWIKbHkRjmIzygV9IYp
                eSRR2TlsKrWSbrbXLu9+rbu6y8QPiPJ43Pw9fyFKqNWxHU15mqlLyZ5qdZvlTsmlbXyejImcNt7j3laxTplUIJJx9P9zD7VkSnTW
                w122YEMQUF3jrV986yQZSJVB6ITzOsqBq0opmRN2T9HbPEzbJLceuX9/J8Ze0pLllCCCMbyu7F1FoL9PEP/caEpT3Pfhu7IKDIie
                5r0wzLNlhLyrssr8rCPHl2gnAg2McPY+m82fM2Zrzq9Fc52yGdWIHatMM7TBxbUkJQR9ZFEehBv1rFuiNmcJCT7hP4aZpiYyQtuV
                qx03cXGgCvrDB5mbpb6d2j8ZbrWXKLeuetlPrpLn+v4zTxe8vzaap+8Y+C3a82t0c6g2t8LPD8rvaDDHt/HWvQSc1umd8WQKf+wb
                9tj88OAexDPvZ8Aft/g=
                """
            )
        case .sliced:
            (
                """
                AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAqQgEBA3AAAAMAkAAAAwAAAwAe
                oCCBBZbqrprm4EBAwIAAAAMAgAAAAwCEIgABAAZEAcFzwQk=
                """,
                """
                AAAAyCgBrwWo/KCpoogC7SrM4450fTseGCXUwczFuBBf/4FtRT/E6UErMuD4lQdQJbT7roaYZtTE9sUeXyplOrCcTRY3G37XrX7v
                sb/Ifh8J2eyKo0mmj6h8107i76NEjYFvmiy99OzBvk5jvHjkDoXgRttHs32lf5H4nxv29IyRTuOszTCyhpOfRyGzPFBYYLqXOOAP
                mb6G2KrBdSZGcYmYVgc5KplON7XeFGGjwOkehWvyT7zwIb9urMU461r/1ut48rftrbtcja3wAAAA5ygBMPBahELArsVwAXaWoNwz
                qRP9ZXryxeOu+jvlv5R2rkV9XKBJ2+q57tVDhp0h7bpewdBwfRvUll144ood1RUJHUx4IsRyOBhsSyLDJmygkrhbVFlOumET3Ezh
                6Jl8MUG1a12peWfRCSgb9O5aNFDNAFC6zyIoijbflSurBykqslUy4fPyUf4Pgo8EzeBhoteo6C+on8ov1bK1Bob3F38MQpG3DbRI
                vr88oPx2xtgHuoZXe7QILacaEur0DNPyQJEXjSqOIqFrAFGEEXzqNxdbTFGVY7ft4KPn7l5dmmvtqGv1kPxBgA==
                """
            )
        case .described:
            (
                """
                AQQIAAAAAAAAAAAAHvAA/P/4+AAADwMgAAEAF0ABDAH//wQIAAADAJ44AAADAAAeugJAIQABACtCAQEECAAAAwCeOAAAAwAAHpAE
                ECCy3UkhE1zcMAQEEAAAAwAQAAADABCAIgABAAhEAcF2hgwCJA==
                """,
                """
                AAABLigBrwW44zfJKIllTVmKrdEdV+hPmNGDZwn2xOVD/4J8R8RUg7VM9VddJI///DYC9qz6568CqUXqqRe/3GHNlHo7xjDpeKg7
                zqFaDA/AJ8CnMnS04FnlBjs/bpWbks2FhCI0arWsHxXT+sCevnkRmyDFiLGOhol8EoryiOp24ZPuQdvbIeugsOFayRgmYl3DapQB
                gs6ENafd4zoVDuOdsJnaGc/tQWGVTJN8R5PG5+Hr+QpVRq2I6mvM1UpeTPNTrN8qoBaRSn8jxPAVOi+fukVhhk9YgQfDdq0Tulcs
                s4/Ha+FYpTprYa7bMCGIKC7x1q++dZIMpEqg9EJ5nWVA1aUUzIm7J+jtniZtkluPXL+/k+MvaUlyygodLo+fKnaJ86r5M/iAllwO
                //M/+Qv8
                """
            )
        }
    }
}
