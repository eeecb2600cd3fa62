extension TMDBLanguages {
    /// The codes of ISO 639-1 and further ones of The Movie Database, with English and (optional) native names.
    static let table = """
        aa|Afar|
        ab|Abkhazian|
        ae|Avestan|
        af|Afrikaans|Afrikaans
        ak|Akan|
        am|Amharic|
        an|Aragonese|
        ar|Arabic|العربية
        as|Assamese|
        av|Avaric|
        ay|Aymara|
        az|Azerbaijani|Azərbaycan
        ba|Bashkir|
        be|Belarusian|беларуская мова
        bg|Bulgarian|български език
        bi|Bislama|
        bm|Bambara|Bamanankan
        bn|Bengali|বাংলা
        bo|Tibetan|
        br|Breton|
        bs|Bosnian|Bosanski
        ca|Catalan|Català
        ce|Chechen|
        ch|Chamorro|Finu' Chamorro
        cn|Cantonese|广州话 / 廣州話
        co|Corsican|
        cr|Cree|
        cs|Czech|Český
        cu|Slavic|
        cv|Chuvash|
        cy|Welsh|Cymraeg
        da|Danish|Dansk
        de|German|Deutsch
        dv|Divehi|
        dz|Dzongkha|
        ee|Ewe|Èʋegbe
        el|Greek|ελληνικά
        en|English|English
        eo|Esperanto|Esperanto
        es|Spanish|Español
        et|Estonian|Eesti
        eu|Basque|euskera
        fa|Persian|فارسی
        ff|Fulah|Fulfulde
        fi|Finnish|suomi
        fj|Fijian|
        fo|Faroese|
        fr|French|Français
        fy|Frisian|
        ga|Irish|Gaeilge
        gd|Gaelic|
        gl|Galician|Galego
        gn|Guarani|
        gu|Gujarati|
        gv|Manx|
        ha|Hausa|Hausa
        he|Hebrew|עִבְרִית
        hi|Hindi|हिन्दी
        ho|Hiri Motu|
        hr|Croatian|Hrvatski
        ht|Haitian; Haitian Creole|
        hu|Hungarian|Magyar
        hy|Armenian|
        hz|Herero|
        ia|Interlingua|
        id|Indonesian|Bahasa indonesia
        ie|Interlingue|
        ig|Igbo|
        ii|Yi|
        ik|Inupiaq|
        io|Ido|
        is|Icelandic|Íslenska
        it|Italian|Italiano
        iu|Inuktitut|
        ja|Japanese|日本語
        jv|Javanese|
        ka|Georgian|ქართული
        kg|Kongo|
        ki|Kikuyu|
        kj|Kuanyama|
        kk|Kazakh|қазақ
        kl|Kalaallisut|
        km|Khmer|
        kn|Kannada|?????
        ko|Korean|한국어/조선말
        kr|Kanuri|
        ks|Kashmiri|
        ku|Kurdish|
        kv|Komi|
        kw|Cornish|
        ky|Kirghiz|??????
        la|Latin|Latin
        lb|Letzeburgesch|
        lg|Ganda|
        li|Limburgish|
        ln|Lingala|
        lo|Lao|
        lt|Lithuanian|Lietuvių
        lu|Luba-Katanga|
        lv|Latvian|Latviešu
        mg|Malagasy|
        mh|Marshall|
        mi|Maori|
        mk|Macedonian|
        ml|Malayalam|
        mn|Mongolian|
        mo|Moldavian|
        mr|Marathi|
        ms|Malay|Bahasa melayu
        mt|Maltese|Malti
        my|Burmese|
        na|Nauru|
        nb|Norwegian Bokmål|Bokmål
        nd|Ndebele|
        ne|Nepali|
        ng|Ndonga|
        nl|Dutch|Nederlands
        nn|Norwegian Nynorsk|
        no|Norwegian|Norsk
        nr|Ndebele|
        nv|Navajo|
        ny|Chichewa; Nyanja|
        oc|Occitan|
        oj|Ojibwa|
        om|Oromo|
        or|Oriya|
        os|Ossetian; Ossetic|
        pa|Punjabi|ਪੰਜਾਬੀ
        pi|Pali|
        pl|Polish|Polski
        ps|Pushto|پښتو
        pt|Portuguese|Português
        qu|Quechua|
        rm|Raeto-Romance|
        rn|Rundi|Kirundi
        ro|Romanian|Română
        ru|Russian|Pусский
        rw|Kinyarwanda|Kinyarwanda
        sa|Sanskrit|
        sc|Sardinian|
        sd|Sindhi|
        se|Northern Sami|
        sg|Sango|
        sh|Serbo-Croatian|
        si|Sinhalese|සිංහල
        sk|Slovak|Slovenčina
        sl|Slovenian|Slovenščina
        sm|Samoan|
        sn|Shona|
        so|Somali|Somali
        sq|Albanian|shqip
        sr|Serbian|Srpski
        ss|Swati|
        st|Sotho|
        su|Sundanese|
        sv|Swedish|svenska
        sw|Swahili|Kiswahili
        ta|Tamil|தமிழ்
        te|Telugu|తెలుగు
        tg|Tajik|
        th|Thai|ภาษาไทย
        ti|Tigrinya|
        tk|Turkmen|
        tl|Tagalog|
        tn|Tswana|
        to|Tonga|
        tr|Turkish|Türkçe
        ts|Tsonga|
        tt|Tatar|
        tw|Twi|
        ty|Tahitian|
        ug|Uighur|
        uk|Ukrainian|Український
        ur|Urdu|اردو
        uz|Uzbek|ozbek
        ve|Venda|
        vi|Vietnamese|Tiếng Việt
        vo|Volapük|
        wa|Walloon|
        wo|Wolof|Wolof
        xh|Xhosa|
        xx|No Language|No Language
        yi|Yiddish|
        yo|Yoruba|Èdè Yorùbá
        za|Zhuang|
        zh|Mandarin|普通话
        zu|Zulu|isiZulu
        """
}
