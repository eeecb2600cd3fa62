import Foundation

/// Pictures of 12 × 8 pixels, encoded by cjxl 0.7.
enum JXLFile {
    /// RGB, lossless: red 20x, green 30y, blue 3xy.
    static let lossless = Self.bytes(
        """
        /woBQUBxIQgCAQBAAUsoNkafThQUTIgodsJvZAVijDEGYvDC6AOIYKFwKtqPdKeIc/fgTe+HmifePPP29b/N5W3s74V/lj8gIvQ/\
        IiIK/SLaikq21zPowM1IeED2
        """)

    /// The same, lossy.
    static let lossy = Self.bytes(
        """
        /woBQUJxIQASiADkAT9oiAEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHJLEM6G6cHEACBQkxLzuktlj3+BGkDlNJIjlB\
        G7L7V9xsSZYOAFjjKfvnt/d1iKTUAoDsk9/1aimCKMuPNvuXu/efutW3uqS30iCgpKzLMZbN6DPyhQA=
        """)

    /// Gray of 20x + y, lossless.
    static let gray = Self.bytes("/woBQVBcCAgCAQCAAEs4aJjCg/cVFCTFhCkAnnZ3d3d3FwAAAAAAAAAAAAAA")

    /// The same with alpha: 255, 128, 64, 0 along diagonals.
    static let grayAlpha = Self.bytes(
        "/woBwaK4EAgIEADgAEsYm+1OQcEEhegoARhHRcQYDMQYexEgADjgPwD+zgHgA/onIqZ/IiLCeCWiMJYOGtWYmawsBcAZ")

    /// RGB with that alpha.
    static let alpha = Self.bytes(
        """
        /woBwYLiQggIEACAAUsoNBZeKlxTWCgoKCUowHiUAIwSMTZGRF3m8/pCDAgAiBgBUAGgQQAA+BGvOVeA4JzPs3PuwLi10FE1P1zV\
        mFX/+EQIIfd/hBBCg/8I7e18v/cOl9+7g0Y1ZiYrSwFwBg==
        """)

    /// The same with colours premultiplied by alpha.
    static let premultiplied = Self.bytes(
        """
        /woBwYLiQggIEACAAUsoNBZeKlxTWCgoKCUowHiUAIwSMTZGRF3m8/pCDAgAiBgBUAGgQQAA+BGvOVeA4JzPs3PuwLi10FE1P1zV\
        mFX/+EQIIfd/hBBCg/8I7e18v/cOl9+7g0Y1ZiYrSwFwBg==
        """)

    /// 16 bits a sample.
    static let deep = Self.bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAADAanhsY/8KAfEDUFwICAIBAKgCSxib7ewUFBSMBOPO\
        6o3uEGNwfxhjMMUHELESrAB4eFQaD+fhPFwKjYfzcB4OELAZEB7tcCAQCAQCgUAgEHA4EJjiDQQCgUAgEAg4HAgEAoFAIBAIBBwO\
        BAKBQCCA2hgIBAIOBwKBQCAQCAQCAYcDgUAgEAgEAoGAh57DgUAgEAgEAoFAAAWhIOMoFISCUBAKQkEoyO8BBaEgFLTDd/g66A7f\
        4TtcBHWH73A=
        """)

    /// In boxes.
    static let boxed = Self.bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAABlanhsY/8KAUFAcSEIAgEAQAFLKDZGn04UFEyIKHbCb2QFYowxBmLw\
        wugDiGChcCraj3SniHP34E3vh5on3jzz9vW/zeVt7O+Ff5Y/ICL0PyIiCv0i2opKttcz6MDNSHhA9g==
        """)

    /// A recompressed JPEG that is shown turned to the right.
    static let recompressed = Self.bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAASanhscAAAAAD/CgEtEBMAAAHjamJyZMBw2wCCIAgtAwJAIgChRoGQ\
        q0oAAEDIUdmCoTj/J4iMEco4pxS0HyFDmKUOMsxA6Q41WB8ynHzMgEMOKixy0LAD20cN/fsjyxx23IGGovtfjHHGJJds8skopzwz\
        zTXbfDPOOQs9NNFFG3000klLPTXVVVt9NdZZiz022WWbfTbaacs9N91123033nkLPjjhhRt+OOKJRy755JRXbvnlmGceuuijk166\
        6aejnnrsss9Oe+2234577sELPzzxxRt/PPLJRy/99NRXb/312GcPfvjij09++eafj3768Mcv//z012///fjn/69gqqoEAEDIUdmC\
        oTj/L4iEUkZZpxSJ8YCQzahBhkl1oKF6sOHcQ44ZUJAPGnLQYQc2FlnmqN/tw44bWtEfeWbwSYb3vxjjjEs2+WSUU6a5Zptvxjln\
        oYcmumijj0Y6aamnprpqq6/GOmuxxya7bLPPRjttueemu26778Y778AFH5zwwg0/HPHEI5d8csort/xyzDMPXfTRSS/d9NNRTz12\
        2WenvXbbb8c99+CFH5744o0/Hvnko5d+euqrt/567LMPX/zxyS/f/PPRTz9++eenv37778c//3+BHwCoLAALCIDgABBKRklGAAEB\
        AAABAAEAAAMAAAArYnJvYkV4aWYbHQAABHRjGwcxW6KpvxMJZZRYtIAkD9CW/4seKRkAAAAA/Wp4bHCAAAAB4FsAEACoAwxkDGQM\
        ZP7/DgAAGAAIAAEAAAAAAICAJYkjVC/miu+W0AMAjEhB4QYkxeDRriFmeuAAIPB1uxWFE26dVNnvDp4ABB+JE0BMnM37AFGQAKBx\
        wvYrAJipCgBQAAAAYPgIAAAAAAAAAAAAAMzslC9YBQfJviRGclmdgQgfndRIqNAWjJgcQCQMAEX9pAIQMA1kqEcApXNOAqfHAgDX\
        nY+9ABClIgBAAQAAkBcAAAAAAAAAAAAAAAAAAAAAAFCSWIGgG95X1caMFTGC+qn28PrmBhmi/sZUgSRlewio1/nX5s1I6iBn4UEr\
        1kYQFQ==
        """)

    /// That JPEG's pixels, lossless, shown turned to the right.
    static let turned = Self.bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAC7anhsY/8KAS0QUFwSCAIBAJQCSyg0Jr5GQUFAgTQABi3HRsWLMUZS\
        qg4gdmBrAIjWwYc1THqPsyaM/OcfQDhJwT/vcvhXn89WfStttkpaGPwWrXZMf/rUtHyOTxP8pBP64HEY/396kPv7qStzQfi+V8Uf\
        Ddjvgt2XaAw466bE5Lvwd35D7v5NwJCFEl2wBtihDzZmwpWxAUFPV1UynMrvUmeEguB8JqzAvZOkZCmIEdHtYsstA3QL
        """)

    /// Two frames, the second one with inverted colours.
    static let animation = Self.bytes(
        """
        /woBBQFYUFwSCAigAgAAYAFLKDZGn04UFEyJKHbCdmwIxBhjDMTghdExWPIAIt60A4CPJZVC3F3v1t1/Jv7d93W//XjvFX+P+UvS\
        n1AvQr+IiBaFiIgWX4m2yLnJ2G1S01simv4cPLoPCAigQgAALAFLKLBttO8o/CgomMRIgaWNMUbFYEIbo2Iwg1UHEAW7/lc+K45u\
        ZypZnboGOl78L78MFf/bL2/bV9v2Vbl9BflfD0h8muQ/svIH7QY=
        """)

    /// BT.2020 with PQ, lossless.
    static let pq = Self.bytes(
        """
        /woBBRCQR484HAAAAAACCAIBAEABSyg2Rp9OFBRMiCh2wm9kBWKMMQZi8MLoA4hgoXAq2o90p4hz9+BN74eaJ9488/b1v83lbezv\
        hX+WPyAi9D8iIgr9ItqKSrbXM+jAzUh4QPY=
        """)

    /// The same, lossy.
    static let xybPQ = Self.bytes(
        """
        /woBQUIePQIAEogAAAOvJQAAgAqVUcYNXs71fPmhw2LaxnWGttq2sCRRZBybpBM4JIm13C4KAQgA8+DNrP37VD60jkY/IqJlVEiB\
        fNuWRF1FMrZlK93xdPF4Lo5YJD5HUufmInTrYDWs+m38aHdAXcMfethSdusd4S0L2tok3CDywNWatluOTiEATx+oElBvyeNwQtX5\
        Z+20lAe/4ZiZHcLTCsyatoGdtXfuVj9xNgZ8sQKMNrK6GjA1pDYn+Ptvk8wLKiQuyNY8pswZ2CU=
        """)

    /// Display P3.
    static let wide = Self.bytes(
        """
        /woBQUAmNwIIAgEAQAFLKDZGn04UFEyIKHbCb2QFYowxBmLwwugDiGChcCraj3SniHP34E3vh5on3jzz9vW/zeVt7O+Ff5Y/ICL0\
        PyIiCv0i2opKttcz6MDNSHhA9g==
        """)

    /// Linear light.
    static let linear = Self.bytes(
        """
        /woBQUDRIggCAQBAAUsoNkafThQUTIgodsJvZAVijDEGYvDC6AOIYKFwKtqPdKeIc/fgTe+HmifePPP29b/N5W3s74V/lj8gIvQ/\
        IiIK/SLaikq21zPowM1IeED2
        """)

    /// Sections in an order of their own.
    static let ordered = Self.bytes(
        """
        /woBQUBxIQgCAQBAAUsoNkafThQUTIgodsJvZAVijDEGYvDC6AOIYKFwKtqPdKeIc/fgTe+HmifePPP29b/N5W3s74V/lj8gIvQ/\
        IiIK/SLaikq21zPowM1IeED2
        """)

    /// With an ICC profile of sRGB.
    static let profile = Self.bytes(
        """
        /woBQQhvDQNSaB6At2z8XouUsiSb8/HKVx3b/FKzbLSJWdtig1PmlKPsfLHooCBICXdm3Zh3psRqb5SsVqutUQ4g62jrjAC/4tw1\
        V9xmh2d4FsCA/wtLK37NYKnrxC7bzkoeCgWK1qay0o+Z6vLTc3/J+FZdyLaOb4Gjr7C5sqmnqHRZgbWzZYGmsqWlrDn03ivjU5X0\
        McZSAU795s+f/JE3ehKI30j+/OkD5c8fvyM42oUGX2vfhqA4OhyNQEkeuG4BeksIilkgWwbYDMvx6kxNTeg8E1yawZ1GYeXmKKps\
        y4cDIFFWkHIHmZgQphuo0Xxd5AAIAgEAQAFLKDZGn04UFEyIKHbCb2QFYowxBmLwwugDiGChcCraj3SniHP34E3vh5on3jzz9vW/\
        zeVt7O+Ff5Y/ICL0PyIiCv0i2opKttcz6MDNSHhA9g==
        """)

    /// The pixels of ``xybPQ`` as decoded by djxl, in PQ.
    static let xybPQPixels = Self.bytes(
        """
        FgAAGwAAKwAAPwAAUQAAZAoAeCEAiyoAoAAAtABCyDwA3ElrDCAQGB8AKh0APR4AUCAiYx40eQA/jABAoC0AtDRMyEUA3TNkAD0AFjwA\
        LTsAPjwATz4AYkAeeDw6jDFDoEUAtEZXyEgk3QBPAFwqAFspMFohQloAUVsAY1wueFxJi1tYoFs2tFpiyFle3TJtAHgrAHkuM3grRHgW\
        U3gAZXgpeXhJinlen3pos3x4yHx63XaIAJYXAJYzJJY4QpYtUpYtZpZCepZZi5ZsoJV9tJaHyZWO3ZOhRbMAMLQAILQqSbQAWbQAZ7RN\
        e7RpjLR7oLSNtbSeybSz3LXJT9IAANJQANJdANJPVNJPX9Jvd9KFi9KUm9KrtdK9ytHT3dLn
        """)

    /// A picture over three black layers of 600 × 600 pixels, which the decoder keeps.
    static let layered = Self.bytes(
        """
        /woBQSQIJgAAhJWwggAAJABLGIsVggtEAAAIJgAAhJWwAgEAJABLGIsVggtEAAAIJgAAhJWwggEAJABLGIsVggtEAAAIBgEAtABLGJOO\
        g4MJMKJmjJExxnhIjBExBivGYIkDiB/3ZwD//6ra/asqE69nhIF96ws=
        """)

    /// The same behind an ICC profile.
    static let layeredWithProfile = Self.bytes(
        """
        /woBQQhvDQMS5gFQU0nYkQjO65hvv9cyH2KGhRZxxZZY4CXz1EfY82RQQUAjIexccefauSRGaydkNBotnXAAWUdbZwT4iueqmbHNFgGs\
        Ahjwf2FpxdcchrpOrLLsrOShEKBobSornWaqy295f8n5ER3Iso5vgKOvsLmyqaeodFiAtbNlgKaypaWsOdReK+cT1WkaZ6gAT/X233/n\
        KW/rnUD7hfTff/cN9d9/+xXBXS4U+Fr7FgTBrcNdCIT0A/MSoLYOQbEX6K0HWGyW+9W5NDWh8p5gagY7hcLIzVFU2ZYPN0BHvYKUO8i0\
        Cc1UAzGar4scCCYAAISVsIIAACQASxiLFYILRAAACCYAAISVsAIBACQASxiLFYILRAAACCYAAISVsIIBACQASxiLFYILRAAACAYBALQA\
        SxiTjoODCTCiZoyRMcZ4SIwRMQYrxmCJA4gf92cA//+q2v2rKhOvZ4SBfesL
        """)

    /// A recompressed JPEG with an ICC profile.
    static let recompressedWithProfile = Self.bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAD/anhscAAAAAD/CgFBCG8NAxLmAVBTSdiRCM7rmG+/1zIfYoaFFnHFlljg\
        JfPUR9jzZFBBQCMh7Fxx59q5JEZrJ2Q0Gi2dcABZR1tnBPiK56qZsc0WAawCGPB/YWnF1xyGuk6ssuys5KEQoGhtKiudZqrLb3l/yfkR\
        Hciyjm+Ao6+wubKpp6h0WIC1s2WAprKlpaw51F4r5xPVaRpnqABP9fbff+cpb+udQPuF9N9/9w3133/7FcFdLhT4WvsWBMGtw10IhPQD\
        8xKgtg5BsRforQdYbJb71bk0NaHynmBqBjuFwsjNUVTZlg83QEe9gpQ7yLQJzVQDMZqvixwAAAHjamJyZEBx2wCCIAgtAwIgLoFQo0DI\
        VSUAACDkqGzBUJz/E0TGCGWcUwraj5AhzFIHGWagdIcarA8ZTj5mwCEHFRY5aNiB7aOG/v2RZQ477kBD0f0vxjhjkks2+WSUU56Z5ppt\
        vhnnnIUemuiijT4a6aSlnprqqq2+GuusxR6b7LLNPhvttOWem+667b4b77wFH5zwwg0/HPHEI5d8csort/xyzDMPXfTRSS/d9NNRTz12\
        2WenvXbbb8c99+CFH5744o0/Hvnko5d+euqrt/567LMHP3zxxye/fPPPRz99+OOXf37667f/fvzz/1cwVVUCACDkqGzBUJz/F0RCKaOs\
        U4rEeEDIZtQgw6Q60FA92HDuIccMKMgHDTnosAMbiyxz1O/2YccNreiPPDP4JMP7X4xxxiWbfDLKKdNcs80345yz0EMTXbTRRyOdtNRT\
        U1211VdjnbXYY5Ndttlno5223HPTXbfdd+Odd+CCD0544YYfjnjikUs+OeWVW3455pmHLvropJdu+umopx677LPTXrvtt+Oee/DCD098\
        8cYfj3zy0Us/PfXVW3899tmHL/745Jdv/vnopx+//PPTX7/99+Of/7/ADwBUFgALCIDgABBKRklGAAEBAAABAAEAAAMAAAD9anhscIAA\
        AAHgWwAQAKgDDGQMZAxk/v8OAAAYAAgAAQAAAAAAgIAliSNUL+aK75bQAwCMSEHhBiTF4NGuIWZ64AAg8HW7FYUTbp1U2e8OngAEH4kT\
        QEyczfsAUZAAoHHC9isAmKkKAFAAAABg+AgAAAAAAAAAAAAAzOyUL1gFB8m+JEZyWZ2BCB+d1Eio0BaMmBxAJAwARf2kAhAwDWSoRwCl\
        c04Cp8cCANedj70AEKUiAEABAACQFwAAAAAAAAAAAAAAAAAAAAAAUJJYgaAb3lfVxowVMYL6qfbw+uYGGaL+xlSBJGV7CKjX+dfmzUjq\
        IGfhQSvWRhAV
        """)

    static let all: [(name: String, bytes: [UInt8])] = [
        ("lossless", lossless), ("lossy", lossy), ("gray", gray), ("gray-alpha", grayAlpha), ("alpha", alpha),
        ("premultiplied", premultiplied), ("deep", deep), ("boxed", boxed), ("recompressed", recompressed),
        ("turned", turned), ("animation", animation), ("pq", pq), ("xyb-pq", xybPQ), ("wide", wide),
        ("linear", linear), ("ordered", ordered), ("profile", profile),
    ]

    static let others: [(name: String, bytes: [UInt8])] = [
        ("layered", layered), ("layered-profile", layeredWithProfile),
        ("recompressed-profile", recompressedWithProfile),
    ]

    /// The colour and the alpha of a pixel, before the coding.
    static func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        [UInt8(20 * x), UInt8(30 * y), UInt8(3 * x * y), [255, 128, 64, 0][(x + y) % 4]]
    }

    static func gray(_ x: Int, _ y: Int) -> UInt8 { UInt8(20 * x + y) }

    /// A codestream in boxes.
    /// - Parameters:
    ///   - parts: Its parts, in numbered boxes.
    ///   - numbers: By default ascending, with the highest bit for the last part.
    static func boxed(_ parts: [[UInt8]], numbers: [UInt32]? = nil) -> [UInt8] {
        let last = UInt32(max(1, parts.count) - 1)
        let numbers = numbers ?? (0...last).map { $0 == last ? $0 | 1 << 31 : $0 }
        return zip(parts, numbers).reduce(self.start) { file, part in
            file + self.box("jxlp", (0..<4).map { UInt8(truncatingIfNeeded: part.1 >> (24 - 8 * $0)) } + part.0)
        }
    }

    /// The first two boxes.
    static let start = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(8 + content.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(kind.utf8) + content
    }

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}
