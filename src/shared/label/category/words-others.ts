/** Finnish. */
export const FI = `
/Arts_and_Entertainment: näyttelij*! laulaja* musiik*! muusik* artist* elokuva*! ohjaaja konsert*! festivaali* albumi* kappale bändi* teatter*! ooppera sarja tv-sarja* julkkis*! museo* näyttely* taide taiteilija* kulttuuri* tanssi*
/Autos_and_Vehicles: auto! autot autoja autoilu! ajoneuvo*! moottoripyör*! moottori kuorma-auto* bensiini* diesel renkaat ajokortti sähköauto*! asuntoauto*
/Beauty_and_Fitness: kauneus! meikki*! muoti! muodin iho ihonhoito! kosmetiik* hajuve* hiukset kampau* kynnet kuntosali*! treeni* laihdut*! mekko
/Books_and_Literature: kirja! kirjat kirjoja kirjan romaani*! kirjailija*! runo* kirjallisuu*! lukija* kustantaja* novelli* kirjakaup* luku dekkari*
/Business_and_Industrial: yritys! yrityks* yrittäj*! teollisuu* tehdas tehtaan markkinoi* mainos* asiakka* tuotan* maatalou* maanviljel* energia öljy logistiik* rakennus*
/Computers_and_Electronics: tietokone*! ohjelmisto*! ohjelmoin*! kehittäjä* kannettava windows linux android sovellus* sovelluks* teknologia* tekoäly*! robot* hakkeri* palvelin tulostin elektroniik*
/Finance: pankki! pankin rahoitu* laina lainaa asuntolaina*! luotto* sijoit*! pörssi*! osake osakkee* inflaatio korko korot vero verot vakuutu*! säästä* velka velat eläke* kryptovaluut* bitcoin
/Food_and_Drink: resepti*! ruoka! ruoan ruuan ainekset! ruokalusikal* teelusikal* rkl tl jauho* sokeri* voi munaa kananmun* valkosipuli* sipuli* juusto* kana liha kala salaatti* keitto* jälkiruo* kakku* leipä suklaa* viini*! olut! oluet kahvi* juoma* ravintola*! kokki uuni* maku
/Food_and_Drink/Cooking_and_Recipes: resepti*! ainekset! rkl! uuni*
/Games: peli pelit! videopeli*! tietokonepeli* playstation! xbox! nintendo! shakki*! kasino* lotto* pokeri lautapeli*!
/Health: terveys! terveyd* lääkäri*! sairaala* sairaus! sairau* potila* oire* hoito rokot*! virus korona* covid* pandemia syöpä! diabetes leikkau* infektio* kipu raskau* ravitsemu* vitamiini* masennu* terapia* lääke lääkk* hoitaja*
/Hobbies_and_Leisure: harrastu*! askartel*! neulo* virkka* ompel* kalastu*! metsästy*! retkeily*! vaellu* häät syntymäpäiv* joulu* keräil*
/Home_and_Garden: puutarha*! kasvit! kasveja huonekalu*! sisustu*! sohva verhot patja kylpyhuone* makuuhuone* remont* lämpöpumppu*! lämmitys siivou*
/Internet_and_Telecom: internet* netti puhelin älypuhelin*! iphone whatsapp! sosiaalinen_media google selain laajakaista*! operaattori*
/Jobs_and_Education: koulutu*! koulu! koulut koulun oppila*! opiskelij*! opettaj*! yliopisto*! kurssi* tentti ylioppila* työpaik*! avoimet_työpaikat rekrytoi* palkka
/Law_and_Government: hallitu*! ministeri*! pääministeri* presidentti* eduskun*! kansanedustaj* laki lain tuomari* oikeus oikeude* käräjä* syyttäj* asianajaj* tuomi* rikos rikoks* poliisi*! pidätet* vankila* vaali* äänest* kunta kunnan armeija puolustusvoim* poliitti* politii* puolue*
/News: uutiset! uutisia pääministeri* presidentti* hallitu* oppositio* vaalit mielenosoitu* kriisi* trump putin ukraina* venäjä* lakko
/Online_Communities: foorumi* keskustelupalsta* blogi* facebook twitter instagram tiktok
/People_and_Society: yhteiskun* perhe* vanhem* äiti isä lapset lapsi avioliit* avioero* kirkko! kirkon katoli* paavi* piispa* jumala* usko* uskonno* muslimi* islam* naiset tasa-arvo! feminis* ihmisoikeu*! pakolai* siirtolai* köyhyy* vapaaehtoi* rasismi*
/Pets_and_Animals: lemmik*! koira*! kissa*! eläinlääkär*! eläin eläimet! eläimiä lintu linnut hevo*
/Real_Estate: kiinteistö*! asunto! asunnot! vuokra* kiinteistönvälit* neliömet*
/Reference: sanakirja*! tietosanakirja*! määritelmä kielioppi* wikipedia käännö* kirjasto*
/Science: tiede! tieteelli*! tutkija*! tutkimu* fysiik* kemia* biologi* dna solu solut planeet* avaruu*! nasa! astronaut* satelliit* maailmankaikkeu* ilmasto* tulivuor* maanjäristy* dinosauru* matemati* laboratori*
/Sensitive_Subjects: kuoli! kuollu* kuolema* surma* murha*! tapettu* ruumi* ampumi* ammuttu* onnettomuu*! uhri* loukkaantu* sota! sodan pommi* hyökkäy* terrori* tulva* raiskau* väkival*! itsemurh* huume*
/Shopping: osta! ostaa kauppa! verkkokaupp*! hinta hinnat tarjou* alennu* ostoskori! toimitu* vaatteet! kengät lahja* lelu* korut
/Sports: jalkapallo*! urheilu*! maali maalin ottelu*! pelaaja*! valmentaj*! joukkue* mestar* turnau* cup mm-kisat maalivah*! hyökkääj* jääkiekko*! koripallo*! tennis! hiihto* hiihtäj* pyöräil* yleisurheil* olympia*! mitali* formula_1 voitto tappio liiga
/Travel_and_Transportation: matka matkat! matkailu*! matkust*! turist* hotelli*! lento lennot lentokenttä* lentoase* juna! junat bussi* metro asema ranta rannat! saari loma lomat! risteily* matkatavara* liikenne lentokone*
`;

/** Turkish. */
export const TR = `
/Arts_and_Entertainment: oyuncu* şarkıcı* müzik*! müzisyen* film*! sinema*! yönetmen* konser* festival* albüm* şarkı* tiyatro*! dizi* televizyon* ünlü* müze* sergi* sanat* kültür*
/Food_and_Drink: tarif* malzeme* yemek! yemekler şeker un tereyağı yumurta sarımsak soğan peynir tavuk et balık salata çorba tatlı kek ekmek çikolata şarap bira kahve restoran*! mutfak lezzet*
/Health: sağlık*! doktor* hastane* hastalık*! hasta hastalar belirti* tedavi*! aşı* virüs* koronavirüs* covid* kanser*! diyabet ameliyat* enfeksiyon* ilaç*
/Law_and_Government: hükümet*! cumhurbaşkan* bakan bakanı bakanlığı! meclis* milletvekil* yasa* kanun* mahkeme*! yargı* savcı* avukat* polis* tutuklan* ordu asker* seçim* siyas* parti*
/News: haber haberler! haberi son_dakika! cumhurbaşkan* muhalefet seçim* kriz*
/Science: bilim*! araştırmacı* fizik* kimya* biyolog* dna hücre* gezegen* uzay*! nasa uydu* iklim* yanardağ* deprem* dinozor* matematik*
/Sensitive_Subjects: öldü! ölüm* öldür*! cinayet*! kaza kazası ceset yaralı* savaş*! saldırı* bomba* terör*
/Shopping: satın sepet! indirim* fiyat* kargo! mağaza* alışveriş!
/Sports: futbol*! spor*! gol maç*! oyuncu* antrenör* teknik_direktör* takım* şampiyon* turnuva* kupa* basketbol*! voleybol* tenis* olimpi* madalya* lig
/Travel_and_Transportation: seyahat*! turist* turizm* otel*! uçuş* uçak* havaalan* havalimanı tren* otobüs* metro yolcu* plaj* ada tatil*!
`;

/** Indonesian. */
export const ID = `
/Arts_and_Entertainment: aktor aktris penyanyi! musik! musisi artis! film! bioskop sutradara konser! festival album lagu teater drama serial televisi selebriti! museum pameran seni seniman budaya
/Food_and_Drink: resep! bahan-bahan masak memasak! tepung gula mentega telur bawang keju ayam daging ikan salad sup kue roti cokelat anggur bir kopi minuman restoran! makanan! kuliner!
/Health: kesehatan! dokter! rumah_sakit! penyakit! pasien gejala! pengobatan vaksin* virus corona covid* kanker! diabetes operasi infeksi obat
/Law_and_Government: pemerintah! presiden menteri! kementerian dpr! undang-undang! hukum hakim! pengadilan! jaksa polisi! ditangkap tentara militer pemilu! politik partai gubernur bupati
/News: berita! terkini presiden pemilu krisis demo
/Science: ilmu ilmuwan! peneliti! penelitian fisika kimia biologi dna sel planet! luar_angkasa! antariksa! nasa satelit iklim gunung_berapi gempa dinosaurus matematika
/Sensitive_Subjects: tewas! meninggal pembunuhan! dibunuh kecelakaan! korban perang! serangan bom teroris
/Shopping: beli! toko harga! diskon! keranjang ongkir
/Sports: sepak_bola! sepakbola! olahraga! gol pertandingan! pemain! pelatih tim juara! turnamen piala! basket bulu_tangkis! tenis olimpiade! medali liga
/Travel_and_Transportation: perjalanan! wisata! wisatawan! turis hotel! penerbangan! pesawat bandara! kereta bus penumpang pantai! pulau liburan!
`;
